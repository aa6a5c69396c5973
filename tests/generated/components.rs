//! One small model for every kind of joint and force.

use polhode::multibody;
use polhode_tests::compare::compare;

/// A body held by the ground, or holding it, in one joint.
macro_rules! held {
    ($test:ident, $name:ident, $group:ident, $kind:ident, ($($joint:tt)*)) => {
        #[multibody(
            gravity = [0.3, -0.8, -9.81],
            consts(J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]]),
        )]
        struct $name {
            #[body(mass = 1.3, inertia = J)]
            #[start(position = [0.2, -0.4, 0.7], rotation = rx(0.4) * rz(-0.7))]
            part: Body<$group>,
            #[joint($($joint)*)]
            joint: $kind,
        }

        #[test]
        fn $test() {
            compare($name, $name.description());
        }
    };
}
held!(
    revolute,
    HeldRevolute,
    SE3,
    Revolute,
    (
        ground,
        part,
        at = world([0.5, 0.1, 0.2]),
        axis = [1.0, 0.2, -0.5],
        angle = 0.4
    )
);
held!(
    revolute_to_ground,
    HeldRevoluteToGround,
    S3xR3,
    Revolute,
    (
        part,
        ground,
        at = world([0.5, 0.1, 0.2]),
        axis = [1.0, 0.2, -0.5]
    )
);
held!(
    cylindrical,
    HeldCylindrical,
    SO3xR3,
    Cylindrical,
    (
        ground,
        part,
        at = world([0.5, 0.1, 0.2]),
        axis = [1.0, 0.2, -0.5]
    )
);
held!(
    cylindrical_to_ground,
    HeldCylindricalToGround,
    S3sR3,
    Cylindrical,
    (part, ground, at = world([0.5, 0.1, 0.2]), axis = part.y)
);
held!(
    prismatic,
    HeldPrismatic,
    SE3,
    Prismatic,
    (
        ground,
        part,
        at = world([0.5, 0.1, 0.2]),
        axis = [1.0, 0.2, -0.5]
    )
);
held!(
    prismatic_to_ground,
    HeldPrismaticToGround,
    SO3xR3,
    Prismatic,
    (part, ground, axis = x, at = world([0.5, 0.1, 0.2]))
);
held!(
    universal,
    HeldUniversal,
    S3sR3,
    Universal,
    (
        ground,
        part,
        at = world([0.5, 0.1, 0.2]),
        cross = ([0.0, 0.3, 0.4], [0.0, 0.4, -0.3])
    )
);
held!(
    universal_to_ground,
    HeldUniversalToGround,
    SO3xR3,
    Universal,
    (
        part,
        ground,
        at = world([0.5, 0.1, 0.2]),
        cross = ([0.0, 0.3, 0.4], [2.0, 0.0, 0.0])
    )
);
held!(
    planar,
    HeldPlanar,
    S3xR3,
    Planar,
    (
        ground,
        part,
        at = world([0.5, 0.1, 0.2]),
        axis = [1.0, 0.2, -0.5]
    )
);
held!(
    planar_to_ground,
    HeldPlanarToGround,
    SE3,
    Planar,
    (part, ground, at = world([0.5, 0.1, 0.2]), axis = z)
);
held!(
    fixed,
    HeldFixed,
    SE3,
    Fixed,
    (ground, part, at = world([0.5, 0.1, 0.2]))
);
held!(
    point_on_line,
    HeldPointOnLine,
    SO3xR3,
    PointOnLine,
    (
        ground,
        part,
        at = world([0.5, 0.1, 0.2]),
        axis = [1.0, 0.2, -0.5]
    )
);
held!(
    point_on_line_to_ground,
    HeldPointOnLineToGround,
    S3sR3,
    PointOnLine,
    (
        part,
        ground,
        at = world([0.5, 0.1, 0.2]),
        axis = [1.0, 0.2, -0.5]
    )
);
held!(
    driven_angle,
    HeldDrivenAngle,
    SE3,
    Driver,
    (
        ground,
        part,
        axis = [1.0, 0.2, -0.5],
        angle = 0.3 * sin(2 * t) + t
    )
);
held!(
    driven_angle_to_ground,
    HeldDrivenAngleToGround,
    S3xR3,
    Driver,
    (part, ground, axis = z, angle = 1.0 + 3 * t * t)
);
held!(driven_displacement, HeldDrivenDisplacement, SO3xR3, Driver, (ground at [0.2, -0.4, 0.7], part, axis = [1.0, 0.2, -0.5], displacement = 0.3 * sin(2 * t)));
held!(driven_displacement_to_ground, HeldDrivenDisplacementToGround, S3sR3, Driver, (part, ground at [0.2, -0.4, 0.7], axis = [1.0, 0.2, -0.5], displacement = exp(t) - 1));
held!(driven_distance, HeldDrivenDistance, SE3, Driver, (ground at [0.2, -0.4, 2.7], part, distance = 2 + 0.3 * sin(2 * t)));

/// A body with one force, that the ground feels too.
macro_rules! pushed {
    ($test:ident, $name:ident, $group:ident, $kind:ident, ($($force:tt)*)) => {
        #[multibody(
            gravity = [0.3, -0.8, -9.81],
            consts(J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]], E = [0.0; 3]),
        )]
        struct $name {
            #[body(mass = 1.3, inertia = J)]
            #[start(position = [0.2, -0.4, 0.7], rotation = rx(0.4) * rz(-0.7))]
            part: Body<$group>,
            #[body(mass = 0.4)]
            #[start(position = [1.0, 2.0, 3.0])]
            point: Body<R3>,
            #[force($($force)*)]
            force: $kind,
            #[force(point at [0.0, 0.1, 0.0], part at [0.1, 0.0, 0.2], stiffness = 0.3, length = 0.8)]
            tie: SpringDamper,
        }

        #[test]
        fn $test() {
            compare($name, $name.description());
        }
    };
}
pushed!(spring, PushedSpring, SE3, SpringDamper, (ground at [1.0, 0.0, 0.0], part at [0.1, 0.2, 0.3], stiffness = 30.0, damping = 2.0, length = 0.7));
pushed!(spring_to_ground, PushedSpringToGround, S3xR3, SpringDamper, (part at [0.1, 0.2, 0.3], ground, stiffness = 30.0, damping = 2.0, length = 0.7));
pushed!(dead_load, PushedDeadLoad, SO3xR3, Load, (part at [0.1, 0.2, 0.3], force = [1.0, sin(3 * t), 2.0], torque = [0.1, 0.2 * t, 0.3]));
pushed!(
    constant_load,
    PushedConstantLoad,
    S3xR3,
    Load,
    (part at [0.1, 0.2, 0.3], force = [1.0, -2.0, 2.0], torque = [0.1, 0.2, 0.3])
);
pushed!(follower_load, PushedFollowerLoad, S3sR3, Load, (part at [0.1, 0.2, 0.3], force = [1.0, sin(3 * t), 2.0], torque = [0.1, 0.2 * t, 0.3], frame = body));
pushed!(drag, PushedDrag, SE3, Load, (part at [0.1, 0.2, 0.3], force = -0.3 * norm(part.velocity) * part.velocity - point.position, torque = -0.1 * part.angular_velocity));
pushed!(
    thrust,
    PushedThrust,
    S3xR3,
    Load,
    (
        part,
        force = [
            tanh(part.position.x),
            if t < 0.5 {
                atan2(part.velocity.y, 2)
            } else {
                1
            },
            powi(point.velocity.z, 3)
        ],
        torque = cross(part.position, part.angular_velocity),
        frame = body
    )
);
pushed!(bushing, PushedBushing, SO3xR3, Bushing, (ground at [0.3, 0.1, 0.0], part at [0.1, 0.2, 0.3], axis = [1.0, 0.2, -0.5], stiffness = [3.0, 4.0, 5.0, 30.0, 40.0, 50.0], damping = [0.3, 0.4, 0.5, 3.0, 4.0, 5.0]));
pushed!(bushing_to_ground, PushedBushingToGround, SE3, Bushing, (part at [0.1, 0.2, 0.3], ground, stiffness = [[3.0, 0.1, 0.0, 0.2, 0.0, 0.0], [0.1, 4.0, 0.0, 0.0, 0.3, 0.0], [0.0, 0.0, 5.0, 0.0, 0.0, 0.4], [0.2, 0.0, 0.0, 30.0, 0.0, 0.0], [0.0, 0.3, 0.0, 0.0, 40.0, 1.0], [0.0, 0.0, 0.4, 0.0, 1.0, 50.0]]));

/// A turning and sliding body with everything that acts along joint coordinates.
macro_rules! driven {
    ($test:ident, $name:ident, $group:ident, $kind:ident, $force:ident, ($($setting:tt)*)) => {
        #[multibody(
            gravity = [0.3, -0.8, -9.81],
            consts(J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]]),
        )]
        struct $name {
            #[body(mass = 1.3, inertia = J)]
            #[start(position = [0.2, -0.4, 0.7], rotation = rx(0.4) * rz(-0.7))]
            part: Body<$group>,
            #[joint(ground, part, at = world([0.5, 0.1, 0.2]), axis = [1.0, 0.2, -0.5])]
            joint: $kind,
            #[force(joint, $($setting)*)]
            force: $force,
        }

        #[test]
        fn $test() {
            compare($name, $name.description());
        }
    };
}
driven!(
    torsion_spring,
    DrivenTorsion,
    SE3,
    Revolute,
    TorsionSpring,
    (stiffness = 4.0, damping = 0.3, angle = 0.2)
);
driven!(
    control,
    DrivenControl,
    SO3xR3,
    Revolute,
    PdControl,
    (
        p = 40.0,
        d = 4.0,
        target = if t < 0.5 { t * t } else { 0.25 + t }
    )
);
driven!(
    control_of_displacement,
    DrivenControlOfDisplacement,
    S3xR3,
    Prismatic,
    PdControl,
    (p = 40.0, d = 4.0, target = sin(t))
);
driven!(
    actuator,
    DrivenActuator,
    S3sR3,
    Cylindrical,
    Actuator,
    (effort =
        -2 * joint.angle - joint.displacement * joint.angle_rate + 0.1 * joint.displacement_rate)
);
driven!(
    plain_actuator,
    DrivenPlainActuator,
    SE3,
    Prismatic,
    Actuator,
    (effort = 3 * cos(t))
);

/// Outside of the model: its value is not known when the macro runs.
const DRAG: f64 = 0.35;

/// Parameters in masses, places, forces and the start, with velocities that follow from them.
#[multibody(gravity = [0.0, 0.0, -gravity])]
struct Tuned {
    /// Acceleration of gravity.
    #[param(default = 9.81, nonnegative)]
    gravity: f64,
    /// Length of the first arm.
    #[param(default = 0.7, positive)]
    length: f64,
    #[param(default = 1.2, range = 0.1..=10.0)]
    mass: f64,
    #[param(default = 0.4)]
    rate: f64,
    #[body(mass = mass, inertia = [0.2 * mass, 0.3 * mass, 0.25 * mass], center = [0.1 * length, 0.0, 0.0])]
    #[start(position = [length, 0.0, 0.0], angular_velocity = [0.0, 0.0, rate])]
    arm: Body<SE3>,
    #[body(mass = 2.0 - mass / 10, inertia = [[0.3, 0.1 * mass, 0.0], [0.1 * mass, 0.4, 0.0], [0.0, 0.0, 0.5]])]
    #[start(position = [length, 0.0, -length / 2])]
    bob: Body<SO3xR3>,
    #[joint(ground, arm, at = world([0.0, 0.0, 0.0]), axis = z)]
    hinge: Revolute,
    #[joint(arm, bob, at = world([length, 0.0, 0.0]))]
    ball: Spherical,
    #[force(bob, force = -self::DRAG * mass * bob.velocity)]
    drag: Load,
    #[force(hinge, stiffness = sqrt(mass), damping = self::DRAG / 2)]
    coil: TorsionSpring,
}

#[test]
fn parameters() {
    for (length, mass, rate) in [(0.7, 1.2, 0.4), (1.9, 0.3, -2.0)] {
        let tuned = Tuned::new(TunedParameters {
            length,
            mass,
            rate,
            ..TunedParameters::default()
        })
        .unwrap();
        assert_eq!(tuned.parameters().length, length);
        compare(tuned.clone(), tuned.description());
    }
    let wrong = Tuned::new(TunedParameters {
        length: 0.0,
        ..TunedParameters::default()
    });
    assert_eq!(
        wrong.unwrap_err().to_string(),
        "parameter `length` is 0, but must be finite and above 0"
    );
}

/// Positions in inertial axes, of every joint that holds a point, between different groups; the
/// slide does not hold one.
#[multibody(
    gravity = [0.3, -0.8, -9.81],
    positions = "inertial",
    consts(J = [[0.9, 0.1, -0.05], [0.1, 0.8, 0.02], [-0.05, 0.02, 1.1]]),
)]
struct Inertial {
    #[body(mass = 1.3, inertia = J)]
    #[start(position = [0.2, -0.4, 0.7], rotation = rx(0.4) * rz(-0.7))]
    swing: Body<SO3xR3>,
    #[body(mass = 0.9, inertia = J, center = [0.1, 0.0, -0.2])]
    #[start(position = [0.9, -0.2, 0.6], rotation = ry(0.3))]
    arm: Body<SE3>,
    #[body(mass = 0.6, inertia = J)]
    #[start(position = [1.2, 0.3, 0.4], rotation = rz(1.1))]
    tip: Body<S3xR3>,
    #[body(mass = 0.2, inertia = J)]
    #[start(position = [1.2, 0.5, 0.1])]
    load: Body<S3sR3>,
    #[body(mass = 0.4, inertia = J)]
    #[start(position = [1.5, 0.4, 0.2])]
    slider: Body<SO3xR3>,
    #[joint(ground, swing, at = world([0.5, 0.1, 0.2]), axis = [1.0, 0.2, -0.5])]
    hinge: Revolute,
    #[joint(swing, arm, at = world([0.5, -0.2, 0.6]), cross = (swing.x, rx(0.4) * rz(-0.7) * y))]
    cross: Universal,
    #[joint(arm, tip, at = world([1.0, 0.1, 0.5]))]
    ball: Spherical,
    #[joint(load, tip, at = world([1.2, 0.4, 0.3]))]
    weld: Fixed,
    #[joint(load, slider, at = world([1.3, 0.4, 0.2]), axis = x)]
    slide: Prismatic,
}

/// Few enough unknowns for matrices that are unrolled as a whole.
#[multibody(gravity = [0.3, -0.8, -9.81], positions = "inertial")]
struct InertialPair {
    #[body(mass = 1.3, inertia = [0.9, 0.8, 1.1])]
    #[start(position = [0.2, -0.4, 0.7], rotation = rx(0.4) * rz(-0.7))]
    first: Body<SO3xR3>,
    #[body(mass = 0.9, inertia = [0.7, 0.8, 1.1])]
    #[start(position = [0.9, -0.2, 0.6], rotation = ry(0.3))]
    second: Body<S3sR3>,
    #[joint(ground, first, at = world([0.0, 0.0, 0.0]))]
    ball: Spherical,
    #[joint(first, second, at = world([0.5, -0.2, 0.6]), axis = [0.0, 1.0, 1.0])]
    hinge: Revolute,
}

#[test]
fn inertial_positions() {
    compare(Inertial, Inertial.description());
    compare(InertialPair, InertialPair.description());
}
