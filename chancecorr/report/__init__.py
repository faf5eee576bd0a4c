"""A comparison of clusterings as one page of HTML that needs nothing beside it."""
