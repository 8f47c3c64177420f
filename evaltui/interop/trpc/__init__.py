"""The eval sets of trpc-agent-go as a format of conversion."""
