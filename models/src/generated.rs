//! Models as the macro sees them, one struct per group. A procedural macro reads
//! tokens, so the numbers stand here again; a test compares each struct with the
//! data of its model.

macro_rules! heavy_top {
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
heavy_top!(
    /// The heavy top with rotation matrices, the translation apart.
    TopDirect,
    SO3xR3
);
heavy_top!(
    /// The heavy top with rigid body motions.
    TopSemidirect,
    SE3
);
heavy_top!(
    /// The heavy top with quaternions, the translation apart.
    TopDirectQuaternion,
    S3xR3
);
heavy_top!(
    /// The heavy top with quaternions and rigid body motions.
    TopSemidirectQuaternion,
    S3sR3
);

macro_rules! free_top {
    ($(#[$doc:meta])* $name:ident, $group:ident) => {
        $(#[$doc])*
        #[polhode::multibody(gravity = [0.0, 0.0, -9.81])]
        pub struct $name {
            #[body(mass = 15.0, inertia = [0.234375, 0.46875, 0.234375], center = [0.0, 1.0, 0.0])]
            #[start(angular_velocity = [0.0, 150.0, -4.61538])]
            top: Body<$group>,
        }
    };
}
free_top!(
    /// The heavy top without constraints, with rotation matrices.
    FreeTop,
    SO3
);
free_top!(
    /// The heavy top without constraints, with quaternions.
    FreeTopQuaternion,
    S3
);
