"""Each mechanism of the sandbox alone. What cannot be undone is done in a process of its own."""
