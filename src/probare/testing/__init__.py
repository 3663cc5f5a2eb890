"""Public fakes for tests of agents and suites: loopback servers that misbehave on demand."""
