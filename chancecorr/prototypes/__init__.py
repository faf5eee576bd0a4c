"""Clusterings compared by what stands for a cluster: centroids, medoids, Gaussian components."""
