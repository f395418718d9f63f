"""What every game shares: verdicts, scores, options, the rule book. Pure; no input or output."""
