// Models that use much of what is generated, for modules where names mean other things. `LENGTH` is
// a constant of each module.

/// Parameters, a constant of the program, drivers, formulas, springs, modal coordinates.
#[::polhode::multibody(gravity = [0.0, 0.0, -9.81])]
struct Arm {
    /// Mass of the arm.
    #[param(default = 2.0, positive)]
    mass: f64,
    #[body(mass = mass, inertia = [0.1, mass / 10.0, 0.1])]
    #[start(position = [self::LENGTH, 0.0, 0.0])]
    arm: Body<SE3>,
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    #[start(position = [1.0, 0.0, 0.0])]
    hand: Body<S3xR3>,
    #[body(mass = [1.0, 2.0], free)]
    modes: Body<R2>,
    #[joint(ground, arm, at = world([0.0, 0.0, 0.0]), axis = y)]
    shoulder: Revolute,
    #[joint(arm, hand, at = world([1.0, 0.0, 0.0]), axis = x, angle = 0.1 * sin(t))]
    wrist: Driver,
    #[force(shoulder, stiffness = 3.0, damping = 0.1)]
    spring: TorsionSpring,
    #[force(modes, stiffness = [4.0, 5.0], damping = [0.1, 0.1])]
    stiffness: ModalSpring,
    #[force(hand, force = [0.0, if t < 1.0 { mass * cos(t) } else { 0.0 }, -hand.velocity.x])]
    push: Load,
}

/// A unit struct with a short iteration.
#[::polhode::multibody(gravity = [0.0, -9.81, 0.0], assemble)]
struct Pendulum {
    #[body(mass = 1.0)]
    #[start(position = [0.6, -0.81])]
    bob: Body<R2>,
    #[joint(ground, bob, length = 1.0)]
    rod: Distance,
}

/// A rod: a tree.
#[::polhode::multibody(gravity = [0.0, 0.0, -9.81])]
struct Rod<const N: usize> {
    #[param(default = 1.0)]
    density: f64,
    #[start(rotation = along(x), position = [i / N, 0.0, 0.0])]
    nodes: [Node<S3sR3>; N + 1],
    #[rod(nodes[i], nodes[i + 1], kirchhoff, length = 1.0 / N, density = density, inertia = 0.1,
        bending = 1.0, torsion = 1.0, extension = 1e4, damping = 0.1)]
    edges: [RodElement; N],
    #[joint(ground, nodes[0])]
    clamp: Fixed,
    #[force(nodes[N], force = [0.0, 0.0, sin(t)])]
    load: Load,
}

/// A network with a count that is chosen when the program runs.
#[::polhode::multibody(gravity = [0.0, 0.0, -9.81])]
struct Beads {
    #[count(default = 3)]
    count: usize,
    #[body(mass = 1.0)]
    #[start(position = [i + 1, 0.0, 0.0])]
    beads: [Body<R3>; count],
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1], free)]
    #[start(position = [0.0, 0.0, 1.0])]
    gate: Body<SO3>,
    #[joint(beads[i], beads[i + 1], length = 1.0)]
    links: [Distance; count - 1],
    #[joint(ground, beads[0], length = 1.0)]
    first: Distance,
    #[force(ground, beads[count - 1], stiffness = 10.0, length = self::LENGTH)]
    spring: SpringDamper,
    #[force(beads[i], force = [0.0, t, -beads[i].velocity.x])]
    drag: [Load; count],
}

/// A chain of links.
#[::polhode::multibody(gravity = [0.0, 0.0, -9.81])]
struct Links {
    #[body(mass = 1.0, inertia = [0.1, 0.1, 0.1])]
    links: [Body<SO3xR3>; 3],
    #[joint(links[i] at [0.5, 0.0, 0.0], links[i + 1] at [-0.5, 0.0, 0.0])]
    inner: [Spherical; 2],
    #[joint(ground at [0.0, 0.0, 0.0], links[0] at [-0.5, 0.0, 0.0])]
    pivot: Spherical,
}

/// Numbers of each model, the same in every module.
pub(super) fn numbers() -> [f64; 6] {
    type Start<S> = ::polhode::state::State<S>;
    let arm = ::core::result::Result::expect(Arm::new(::core::default::Default::default()), "an arm");
    let pendulum: Pendulum = ::core::default::Default::default();
    let rod = ::core::result::Result::expect(Rod::<4>::new(::core::default::Default::default()), "a rod");
    let beads = ::core::result::Result::expect(Beads::new(::core::default::Default::default()), "beads");
    let (at_arm, at_pendulum) = (Start::start(&arm, 0.0), Start::start(&pendulum, 0.0));
    let (at_rod, at_beads) = (Start::start(&rod, 0.0), Start::start(&beads, 0.0));
    let tip = ::core::option::Option::expect(RodState::nodes(&at_rod, 4), "a node");
    let bead = ::core::option::Option::expect(BeadsState::beads(&at_beads, 1), "a bead");
    [
        ArmState::hand(&at_arm).position()[0],
        arm.description().bodies[0].mass,
        PendulumState::bob(&at_pendulum).position()[1],
        ::core::option::Option::expect(pendulum.assembly(), "moved").moved,
        tip.position()[0],
        bead.position()[0],
    ]
}
