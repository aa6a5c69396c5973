//! The heavy top, generated, in its four groups.

macro_rules! top {
    ($(#[$doc:meta])* $name:ident, $group:ident) => {
        $(#[$doc])*
        #[polhode::multibody(gravity = [0.0, 0.0, -9.81])]
        pub struct $name {
            #[body(mass = 15.0, inertia = [0.234375, 0.46875, 0.234375])]
            #[start(
                position = [0.0, 1.0, 0.0],
                velocity = [4.61538, 0.0, 0.0],
                angular_velocity = [0.0, 150.0, -4.61538],
            )]
            top: Body<$group>,
            #[joint(ground at [0.0, 0.0, 0.0], top at [0.0, -1.0, 0.0])]
            pivot: Spherical,
        }
    };
}
top!(
    /// With rotation matrices, the translation apart.
    TopDirect,
    SO3xR3
);
top!(
    /// With rigid body motions.
    TopSemidirect,
    SE3
);
top!(
    /// With quaternions, the translation apart.
    TopDirectQuaternion,
    S3xR3
);
top!(
    /// With quaternions and rigid body motions.
    TopSemidirectQuaternion,
    S3sR3
);
