"""The affordance table: impossible pairs of tools and objects, composed into seeds."""
