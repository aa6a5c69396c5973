//! Generated systems against the generic one, function by function.

use polhode::generic::GenericSystem;
use polhode::multibody;
use polhode::system::System;

macro_rules! top {
    ($name:ident, $group:ident) => {
        #[multibody(gravity = [0.0, 0.0, -9.81])]
        struct $name {
            #[body(mass = 15.0, inertia = [0.234375, 0.46875, 0.234375])]
            #[start(position = [0.0, 1.0, 0.0], velocity = [4.61538, 0.0, 0.0], angular_velocity = [0.0, 150.0, -4.61538])]
            top: Body<$group>,
            #[joint(ground at [0.0, 0.0, 0.0], top at [0.0, -1.0, 0.0])]
            pivot: Spherical,
        }
    };
}
top!(TopDirect, SO3xR3);
top!(TopSemidirect, SE3);
top!(TopDirectQuaternion, S3xR3);
top!(TopSemidirectQuaternion, S3sR3);
