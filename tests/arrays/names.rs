//! Errors name parts as they are declared.

use polhode::prelude::multibody;

#[multibody(gravity = [0.0, 0.0, -9.81])]
struct Lighter {
    #[param(default = 0.1)]
    loss: f64,
    #[body(mass = 1.0 - loss * i, inertia = [0.1, 0.1, 0.1])]
    rods: [Body<SO3xR3>; 3],
    #[joint(ground, rods[0] at [-0.5, 0.0, 0.0])]
    pivot: Spherical,
    #[joint(rods[i] at [0.5, 0.0, 0.0], rods[i + 1] at [-0.5, 0.0, 0.0])]
    joints: [Spherical; 2],
}

/// A chain knows the names of its links before it is built.
#[test]
fn links_have_the_name_of_their_field() {
    assert!(Lighter::new(LighterParameters { loss: 0.4 }).is_ok());
    let error = Lighter::new(LighterParameters { loss: 0.5 }).unwrap_err();
    let expected = "mass of `rods[2]` is 0: expected a positive number";
    assert_eq!(error.to_string(), expected);
}

/// Both ends of an element held; a spring without stiffness makes it a network.
macro_rules! clamped {
    ($name:ident $(, $spring:ident)?) => {
        #[multibody]
        struct $name {
            #[count(default = 3, min = 1)]
            n: usize,
            #[start(rotation = along(x))]
            nodes: [Node<SE3>; n + 1],
            #[rod(nodes[i], nodes[i + 1], length = 1.0, density = 1.0, inertia = 0.1, bending = 1.0,
                torsion = 1.0, shear = 10.0, extension = 10.0)]
            pieces: [RodElement; n],
            #[joint(ground, nodes[n])]
            far: Fixed,
            #[joint(ground, nodes[n - 1])]
            near: Fixed,
            $(#[force(ground, nodes[0], stiffness = 0.0, length = 1.0)]
            $spring: SpringDamper,)?
        }
    };
}

clamped!(ClampedTree);
clamped!(ClampedNetwork, spring);

/// An element is not called a joint.
#[test]
fn an_element_that_holds_nothing() {
    let expected = "`pieces[1]` holds nothing that moves";
    let error = ClampedTree::new(ClampedTreeParameters { n: 2 }).unwrap_err();
    assert_eq!(error.to_string(), expected);
    let error = ClampedNetwork::new(ClampedNetworkParameters { n: 2 }).unwrap_err();
    assert_eq!(error.to_string(), expected);
}
