import numpy as np

import delassus

scene = delassus.load("go2")  # a robot by name; a URDF or MJCF file as well
contacts = [delassus.PointContact(scene.model, foot) for foot in ("FL_foot", "RR_foot")]
op = delassus.Operator(scene.model, contacts, algorithm="condensed")
op.update(scene.q)  # from here on: products and solves, without the matrix

print("diagonal", op.diagonal().round(4), "1/kg")
op.update_damping(1e-6)
print("impulses that stop the feet", op.solve(-np.ones(op.rows)).round(3), "N s")
