//! Bodies that hold many others, eliminated branch by branch, against dense matrices.

use crate::end;
use polhode::generalized_alpha::GeneralizedAlpha;
use polhode::generic::GenericSystem;
use polhode::half_explicit::HalfExplicit;
use polhode::prelude::multibody;
use polhode::stepper::Method;
use polhode::system::System;
use polhode_tests::{Driver, difference};

macro_rules! star {
    ($name:ident, $($more:tt)*) => {
        /// A hub with rods, and with links that are held by the ground too: a link between two balls
        /// cannot take three forces at one end.
        #[multibody(gravity = [0.3, 0.2, -9.81])]
        struct $name {
            #[count(default = 7)]
            k: usize,
            #[body(mass = 5.0, inertia = [1.0, 1.2, 1.1])]
            hub: Body<SE3>,
            #[start(position = [cos(0.5 * i), sin(0.5 * i), 0.1 * i], rotation = along([cos(0.5 * i), sin(0.5 * i), 0.2]))]
            inner: [Node<S3sR3>; k],
            outer: [Node<S3sR3>; k],
            #[rod(inner[i], outer[i], kirchhoff, length = 0.3, density = 1.0, inertia = 0.05, bending = 2.0,
                torsion = 1.5, extension = 90.0, damping = 0.1)]
            edges: [RodElement; k],
            #[joint(hub at [cos(0.5 * i), sin(0.5 * i), 0.1 * i], inner[i])]
            grips: [Fixed; k],
            #[body(mass = 0.4, inertia = [0.1, 0.1, 0.1])]
            #[start(position = [2.0 * cos(2.1 * i), 2.0 * sin(2.1 * i), 0.3 * i])]
            links: [Body<SE3>; 3],
            #[joint(hub at [cos(2.1 * i), sin(2.1 * i), 0.3 * i], links[i] at [-cos(2.1 * i), -sin(2.1 * i), 0.0])]
            balls: [Spherical; 3],
            #[joint(links[i] at [cos(2.1 * i), sin(2.1 * i), 0.0], ground at [3.0 * cos(2.1 * i), 3.0 * sin(2.1 * i), 0.3 * i])]
            anchors: [Spherical; 3],
            $($more)*
        }
    };
}

star!(Tree,);
star!(Net, #[force(ground at [0.0, 0.0, 4.0], hub, stiffness = 3.0, damping = 0.1, length = 1.5)] spring: SpringDamper,);

/// Errors of eliminations with condition numbers up to 1e6, over twenty steps.
const SOLVED: f64 = 1e-9;

fn compare<S: System, M>(model: &S, dense: &GenericSystem, method: M, what: &str)
where
    M: Method<S> + Method<GenericSystem> + Clone,
{
    let (found, expected) = (
        end(model, method.clone(), 1e-3, 0.02),
        end(dense, method, 1e-3, 0.02),
    );
    let q = difference(found.q.as_ref(), &expected.q);
    let v = difference(found.v.as_ref(), &expected.v);
    println!("{what}: q {q:.1e}, v {v:.1e}");
    assert!(q < SOLVED && v < SOLVED, "{what}: q {q:.1e}, v {v:.1e}");
}

#[test]
fn hubs_move_as_with_dense_matrices() {
    macro_rules! check {
        ($model:expr, $what:expr) => {{
            let model = $model;
            let dense = GenericSystem::new(model.description().unwrap()).unwrap();
            compare(&model, &dense, HalfExplicit::order5(), $what);
            compare(&model, &dense, GeneralizedAlpha::index3(), $what);
            compare(&model, &dense, GeneralizedAlpha::index2(), $what);
            compare(&model, &dense, GeneralizedAlpha::stabilized_index2(), $what);
        }};
    }
    for k in [1, 7, 20] {
        check!(
            Tree::new(TreeParameters { k }).unwrap(),
            &format!("tree of {k}")
        );
        check!(
            Net::new(NetParameters { k }).unwrap(),
            &format!("network of {k}")
        );
    }
}

/// A branch takes as much memory beside a thousand others as beside a hundred: one dense block of a
/// thousand branches would have 300 MB, and ten times as much for each of them.
#[test]
fn memory_of_hubs_is_linear() {
    #[multibody(gravity = [0.3, 0.2, -9.81])]
    struct Star {
        #[count(default = 8)]
        k: usize,
        #[body(mass = 5.0, inertia = [1.0, 1.2, 1.1], free)]
        hub: Body<SE3>,
        #[body(mass = 0.4, inertia = [0.1, 0.1, 0.1])]
        #[start(position = [cos(i), sin(i), 0.0])]
        bobs: [Body<SE3>; k],
        #[joint(hub at [cos(i), sin(i), 0.0], bobs[i])]
        balls: [Spherical; k],
    }
    fn bytes<M: Method<Star>>(k: usize, method: &M) -> f64 {
        let info = allocation_counter::measure(|| {
            let model = Star::new(StarParameters { k }).unwrap();
            Driver::new(model, method, 1e-3).steps(2, 1e-3);
        });
        #[expect(clippy::cast_precision_loss, reason = "whole numbers")]
        let each = info.bytes_max as f64 / k as f64;
        println!("{k} branches: {each:.0} bytes each");
        each
    }
    let half_explicit = HalfExplicit::order5();
    let stabilized = GeneralizedAlpha::stabilized_index2();
    let growth = [
        bytes(1000, &half_explicit) / bytes(100, &half_explicit),
        bytes(1000, &stabilized) / bytes(100, &stabilized),
    ];
    assert!(growth.iter().all(|growth| *growth < 1.5), "{growth:?}");
}
