"""Each mechanism of the sandbox alone. What can never be taken back is done in a process of its own."""
