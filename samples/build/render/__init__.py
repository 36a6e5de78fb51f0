"""A small renderer of camera scenes: metric objects on a ground plane, drawn with OpenCV.

Every object stands on the ground in metres and is seen through a pinhole camera, so size, overlap
and boxes follow from geometry. Not a physical renderer: flat-shaded polygons, one sun, lamps as
points, no reflections of one object in another.
"""
