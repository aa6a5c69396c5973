//! The spatial slider-crank mechanism with rigid bodies: one degree of freedom in a closed loop.
//!
//! The crank turns about x at A, a spherical joint at B drives the connecting rod, and a universal
//! joint at C the slider, which moves along x. The cross of the universal joint is the one that
//! the printed initial velocities fulfil: y of the rod stays normal to x of the slider.
//!
//! Source: Holzinger, Arnold, Gerstmayr (2024), section 4.3, after the benchmark library of `IFToMM`.
//! Reference: independent index-1 integration with quaternions.

use polhode::multibody;

use crate::model::{Exact, Known, Parameter, rigid_model};

/// Slider position at t = 1, 2, 3, 4, 5 with the centre of mass in the middle of the crank.
pub const SLIDER_MIDDLE: [f64; 5] = [
    0.211_721_661_393_5,
    0.289_085_197_067_1,
    0.228_484_813_697_7,
    0.188_230_475_581_2,
    0.240_719_573_731_0,
];
/// The same with the centre of mass at A.
pub const SLIDER_AT_A: [f64; 5] = [
    0.233_764_750_335_5,
    0.258_304_443_416_6,
    0.197_728_200_608_8,
    0.238_945_690_004_3,
    0.254_650_085_466_3,
];
/// Crank angle at t = 5 with the centre of mass in the middle.
pub const CRANK_ANGLE_AT_5: f64 = 54.333_332_168_3;
/// Its rate.
pub const CRANK_RATE_AT_5: f64 = 11.494_996_265_15;
/// Slider velocity at t = 5 with the centre of mass in the middle.
pub const SLIDER_VELOCITY_AT_5: f64 = -0.595_984_412_05;

macro_rules! slider_crank {
    ($(#[$doc:meta])* $name:ident, $group:ident) => {
        $(#[$doc])*
        #[multibody(
            gravity = [0.0, 0.0, -9.81],
            consts(A = [0.0, 0.1, 0.12], B = A + [0.0, 0.0, 0.08], C = [0.2, 0.0, 0.0]),
        )]
        pub struct $name {
            /// Where the centre of mass of the crank is: 0 at A, 1 in the middle.
            #[param(default = 1.0, range = 0.0..=1.0)]
            center: f64,
            #[body(mass = 0.12, inertia = [1e-4, 1e-4, 1e-5])]
            #[start(
                position = A + center * (B - A) / 2,
                velocity = [0.0, -0.24 * center, 0.0],
                angular_velocity = [6.0, 0.0, 0.0],
            )]
            crank: Body<$group>,
            #[body(mass = 0.5, inertia = [4e-4, 4e-3, 4e-3])]
            #[start(
                position = (B + C) / 2,
                rotation = rx(-atan2(1, 2)) * ry(asin(sqrt(5) / 3)),
                velocity = [0.12, -0.24, 0.0],
                angular_velocity = world([1.92, -0.96, 0.48]),
            )]
            rod: Body<$group>,
            #[body(mass = 2.0, inertia = [1e-4; 3])]
            #[start(position = C, velocity = [0.24, 0.0, 0.0])]
            slider: Body<$group>,
            #[joint(ground, crank, at = world(A), axis = x)]
            a: Revolute,
            #[joint(crank, rod, at = world(B))]
            b: Spherical,
            #[joint(rod, slider, at = world(C), cross = (rod.y, slider.x))]
            c: Universal,
            #[joint(ground, slider, at = world(C), axis = x)]
            d: Prismatic,
        }
    };
}
slider_crank!(
    /// The slider-crank with rotation matrices, the translations apart.
    SliderCrankDirect,
    SO3xR3
);
slider_crank!(
    /// The slider-crank with rigid body motions.
    SliderCrankSemidirect,
    SE3
);

rigid_model!(
    /// The slider-crank, in the registry.
    SLIDER_CRANK,
    name: "slider-crank",
    summary: "spatial slider-crank mechanism, a closed loop with one degree of freedom",
    source: "Holzinger, Arnold, Gerstmayr (2024), Multibody Syst. Dyn., section 4.3; IFToMM benchmark library",
    end: 5.0, step: 1e-3, unsuitable: &[],
    parameters: &[Parameter {
        name: "center",
        meaning: "centre of mass of the crank: 0 at A, 1 in the middle",
        default: 1.0,
        min: 0.0,
        max: 1.0,
        only: &[],
    }],
    reference: Some(Exact {
        source: "index-1 integration with quaternions: slider at t = 1, 2, 3, 4, 5 for center = 0 and 1",
        at: |choice, t| {
            let positions = match choice.value("center") {
                1.0 => SLIDER_MIDDLE,
                0.0 => SLIDER_AT_A,
                _ => return None,
            };
            let place = (1..=5).position(|second| t == f64::from(second))?;
            Some(Known::Point { factor: 2, point: [0.0; 3], position: [positions[place], 0.0, 0.0] })
        },
    }),
    systems: |choice| {
        SO3xR3 => SliderCrankDirect::new(SliderCrankDirectParameters { center: choice.value("center") }).unwrap_or_default(),
        SE3 => SliderCrankSemidirect::new(SliderCrankSemidirectParameters { center: choice.value("center") }).unwrap_or_default(),
    }
);
