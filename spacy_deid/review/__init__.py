"""What was de-identified, for people to look at: a page to review it, a report of it."""
