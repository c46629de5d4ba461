"""The release gate: a corpus held against a policy of thresholds in plain words."""
