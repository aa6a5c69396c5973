//! `crate = ..`: the path where a model finds the library, and what `macro_rules!` macros pass on.

use ph::multibody;
use polhode_renamed_tests::oscillator;

/// By the name in `Cargo.toml`.
#[multibody(crate = ph, gravity = [0.0, 0.0, -9.81])]
struct Arm {
    #[param(default = 2.0)]
    r#type: f64,
    #[body(mass = r#type, inertia = [0.1, 0.1, 0.1])]
    r#move: Body<SE3>,
    #[joint(ground, r#move, axis = y)]
    r#loop: Revolute,
    #[force(r#move, force = [0.0, 0.0, -r#move.position.z - r#type * r#loop.angle])]
    r#fn: Load,
}

/// As a text, and with arrays.
#[multibody(crate = "ph")]
struct Chain<const N: usize> {
    #[param(default = 1.0)]
    r#type: f64,
    #[body(mass = r#type, inertia = [0.1, 0.1, 0.1])]
    r#mod: [Body<SO3xR3>; N],
    #[joint(r#mod[i] at [0.5, 0.0, 0.0], r#mod[i + 1] at [-0.5, 0.0, 0.0])]
    joints: [Spherical; N - 1],
    #[joint(ground, r#mod[0] at [-0.5, 0.0, 0.0])]
    pivot: Spherical,
}

/// Through another library.
#[multibody(crate = polhode_renamed_tests::mechanics)]
struct Network {
    #[body(mass = 1.0)]
    #[start(position = [i, 0.0, 0.0])]
    beads: [Body<R3>; 2],
    #[joint(beads[0], beads[1], length = 1.0)]
    rod: Distance,
}

oscillator!(Planar, mass on R2, mass = 1.0 + 2.0);
oscillator! {
    struct Item {
        #[body(mass = 1.0, free)]
        point: Body<R3>,
    }
}
oscillator!(Attributes: point: Body<R3>, body(mass = 4.0, free), doc = "A point.");

macro_rules! links {
    ($name:ident, $of:ty, $len:expr, $mass:expr) => {
        #[multibody(crate = ph)]
        struct $name {
            #[body(mass = 2.0 * $mass)]
            #[start(position = [i, 0.0, 0.0])]
            links: [$of; $len],
            #[joint(links[0], links[$len - 1], length = 1.0)]
            rod: Distance,
        }
    };
}
links!(Links, Body<R3>, 1 + 1, 1.0 + 0.5);

mod gravity {
    /// A constant that the model reads in its own module.
    pub(crate) const G: f64 = 9.81;
}

#[multibody(crate = ph, gravity = [0.0, 0.0, -gravity::G])]
struct Outside {
    #[body(mass = 1.0, free)]
    point: Body<R3>,
}

#[test]
fn models_find_the_library() {
    use ph::state::State;
    let arm = Arm::default();
    assert_eq!(arm.description().bodies[0].mass, 2.0);
    assert_eq!(State::start(&arm, 0.0).r#move().position(), [0.0; 3]);
    let chain = Chain::<3>::new(ChainParameters::default()).unwrap();
    assert!(State::start(&chain, 0.0).r#mod(2).is_some());
    assert!(Network::new().is_ok());
    let gravity = Outside::new().unwrap().description().gravity;
    assert_eq!(gravity, [0.0, 0.0, -9.81]);
}

/// A keyword is a name like any other, without the `r#` of the source.
#[test]
fn names_have_no_marks() {
    let arm = Arm::default();
    let description = arm.description();
    assert_eq!(description.bodies[0].name, "move");
    assert_eq!(description.joints[0].name, "loop");
    assert_eq!(description.forces[0].name, "fn");
    assert_eq!(Arm::LOOP.name(), "loop");
    let text = format!("{description:?} {:?}", ArmParameters { r#type: -1.0 });
    assert!(!text.replace("type: -1.0", "").contains("r#"), "{text}");
    let chain = Chain::<2>::new(ChainParameters { r#type: 3.0 }).unwrap();
    assert_eq!(chain.description().unwrap().bodies[1].name, "mod[1]");
}

#[test]
fn macros_pass_on_types_expressions_and_items() {
    assert_eq!(Planar.description().bodies[0].mass, 3.0);
    assert_eq!(Planar.description().bodies[0].name, "mass");
    assert_eq!(Item.description().bodies[0].mass, 1.0);
    assert_eq!(Attributes.description().bodies[0].mass, 4.0);
    let links = Links::new().unwrap().description().unwrap();
    // Not 2 * 1 + 0.5.
    assert_eq!((links.bodies.len(), links.bodies[0].mass), (2, 3.0));
}
