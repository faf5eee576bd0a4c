"""From a request to adjusted scores: the method for each question, the null distribution, the score."""
