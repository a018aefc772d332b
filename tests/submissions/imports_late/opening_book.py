"""Found only in the first move."""
