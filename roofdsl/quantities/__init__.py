"""Named quantities of named subjects under a convention, and the formulas people write about them."""
