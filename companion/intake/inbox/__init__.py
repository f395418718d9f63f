"""How photos get in: paths that are typed or dropped, a folder that is watched."""
