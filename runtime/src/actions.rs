//! Groups that act on spaces, and products of them.
//!
//! | action            | point                     | element of the algebra | acts by                                        |
//! |-------------------|---------------------------|------------------------|------------------------------------------------|
//! | [`Action::Right`] | `q` in a group            | velocity in body axes  | `q exp(theta)`                                 |
//! | [`Action::Left`]  | `q` in a group            | in inertial axes       | `exp(theta) q`                                 |
//! | [`Action::Sphere`] | `q` in `S^2`             | `u` in `so(3)`         | `A q`                                          |
//! | [`Action::TangentSphere`] | `(q, w)` in `TS^2` | `(u, v)` in `se(3)`   | `(A q, A w + a x A q)`                         |
//! | [`Action::Coadjoint`] | `(Pi, Gamma)` in `se(3)*` | `(u, v)` in `se(3)` | `(A Pi + a x A Gamma, A Gamma)`               |
//!
//! with `(A, a) = exp(u, v)`. The last two are one action: its orbits are tangent bundles of spheres, with
//! `|q|` and `q . w` constant.
//!
//! Source: E. Celledoni, E. Cokaj, A. Leone, D. Murari, B. Owren, Int. J. Comput. Math. 99 (2022).

use core::ops::Range;

use crate::lie::GroupKind;
use crate::system::{Manifold, Storage};

/// Most numbers of a group element of fixed size.
const LONGEST: usize = 12;

/// A group that acts on a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A group on itself from the right, as in mechanisms.
    Right(GroupKind),
    /// A group on itself from the left.
    Left(GroupKind),
    /// Rotations on unit vectors.
    Sphere,
    /// Rigid motions on unit vectors `q` with velocities `w` normal to them.
    TangentSphere,
    /// Rigid motions on pairs of momenta, body axes: Lie-Poisson equations of the heavy top.
    Coadjoint,
}

impl Action {
    /// How many numbers describe a point.
    pub fn config_len(self) -> usize {
        match self {
            Self::Right(group) | Self::Left(group) => group.config_len(),
            Self::Sphere => 3,
            Self::TangentSphere | Self::Coadjoint => 6,
        }
    }

    /// The dimension of the algebra.
    pub fn dof(self) -> usize {
        self.group().dof()
    }

    /// The group that acts.
    fn group(self) -> GroupKind {
        match self {
            Self::Right(group) | Self::Left(group) => group,
            Self::Sphere => GroupKind::SO3,
            Self::TangentSphere | Self::Coadjoint => GroupKind::SE3,
        }
    }

    /// Whether the factor that is applied later stands on the left.
    fn is_left(self) -> bool {
        !matches!(self, Self::Right(_))
    }

    /// Where the vector that is only turned stands in a point, and the other one.
    fn places(self) -> (usize, usize) {
        if self == Self::Coadjoint {
            (3, 0)
        } else {
            (0, 3)
        }
    }

    fn displace(self, q: &[f64], theta: &[f64], out: &mut [f64]) {
        let mut buffer = [0.0; LONGEST];
        match self {
            Self::Right(group) => group.displace(q, theta, out),
            Self::Left(GroupKind::Rn(n)) => GroupKind::Rn(n).displace(q, theta, out),
            Self::Left(group) => {
                let element = &mut buffer[..group.config_len()];
                group.exp(theta, element);
                group.compose(element, q, out);
            }
            Self::Sphere => {
                GroupKind::SO3.exp(theta, &mut buffer[..9]);
                out.copy_from_slice(&turn(&buffer, q));
            }
            Self::TangentSphere | Self::Coadjoint => {
                GroupKind::SE3.exp(theta, &mut buffer);
                let (arm, moment) = self.places();
                let turned = turn(&buffer, &q[arm..]);
                let shift = cross(&buffer[9..], &turned);
                let other = turn(&buffer, &q[moment..]);
                for i in 0..3 {
                    out[arm + i] = turned[i];
                    out[moment + i] = other[i] + shift[i];
                }
            }
        }
    }

    fn difference(self, q: &[f64], p: &[f64], out: &mut [f64]) {
        match self {
            Self::Right(group) => group.difference(q, p, out),
            Self::Left(GroupKind::Rn(n)) => GroupKind::Rn(n).difference(q, p, out),
            Self::Left(group) => {
                let n = group.config_len();
                let [mut inverse, mut element] = [[0.0; LONGEST]; 2];
                group.inverse(q, &mut inverse[..n]);
                group.compose(p, &inverse[..n], &mut element[..n]);
                group.log(&element[..n], out);
            }
            Self::Sphere => out.copy_from_slice(&way(q, p)),
            Self::TangentSphere | Self::Coadjoint => {
                let (arm, moment) = self.places();
                let rotation = way(&q[arm..], &p[arm..]);
                let mut element = [0.0; 9];
                GroupKind::SO3.exp(&rotation, &mut element);
                let other = turn(&element, &q[moment..]);
                let rest: [f64; 3] = core::array::from_fn(|i| p[moment + i] - other[i]);
                let square = dot(&p[arm..], &p[arm..]);
                let shift = cross(&p[arm..], &rest).map(|x| x / square);
                let back = rotation.map(|x| -x);
                out[..3].copy_from_slice(&rotation);
                GroupKind::SO3.tangent_inverse_times(&back, &shift, &mut out[3..]);
            }
        }
    }

    fn bracket(self, x: &[f64], y: &[f64], out: &mut [f64]) {
        let group = self.group();
        if self.is_left() {
            group.ad_times(y, x, out);
        } else {
            group.ad_times(x, y, out);
        }
    }

    /// Applies a tangent operator of the group, which is that of an action from the right. From the left
    /// `theta` has the other sign.
    fn on_side(self, theta: &[f64], apply: impl FnOnce(GroupKind, &[f64])) {
        let group = self.group();
        if let (true, n @ ..=6) = (self.is_left(), theta.len()) {
            let mut back = [0.0; 6];
            for (back, x) in back.iter_mut().zip(theta) {
                *back = -x;
            }
            apply(group, &back[..n]);
        } else {
            // Beyond six components it is a vector space, where the sign does not matter.
            apply(group, theta);
        }
    }

    /// How far a point is off its space.
    fn defect(self, q: &[f64]) -> Option<(&'static str, f64)> {
        let length = |x: &[f64]| ("1 - |q|^2", 1.0 - dot(x, x));
        match self {
            Self::Right(group) | Self::Left(group) => {
                Some(("distance to the group", group.defect(q)))
            }
            Self::Sphere => Some(length(q)),
            Self::TangentSphere => {
                let (q, w) = q.split_at(3);
                let (name, length) = length(q);
                let slope = dot(q, w);
                if slope.abs() > length.abs() {
                    Some(("q . w", slope))
                } else {
                    Some((name, length))
                }
            }
            Self::Coadjoint => None,
        }
    }

    fn renormalize(self, q: &mut [f64]) {
        match self {
            Self::Right(group) | Self::Left(group) => group.renormalize(q),
            Self::Sphere => normalize(q),
            Self::TangentSphere => {
                let (q, w) = q.split_at_mut(3);
                normalize(q);
                let slope = dot(q, w);
                for (w, q) in w.iter_mut().zip(q) {
                    *w -= slope * *q;
                }
            }
            Self::Coadjoint => {}
        }
    }
}

/// The rotation by a matrix, by rows.
fn turn(matrix: &[f64], x: &[f64]) -> [f64; 3] {
    core::array::from_fn(|i| dot(&matrix[3 * i..3 * i + 3], &x[..3]))
}

fn cross(x: &[f64], y: &[f64]) -> [f64; 3] {
    [
        x[1] * y[2] - x[2] * y[1],
        x[2] * y[0] - x[0] * y[2],
        x[0] * y[1] - x[1] * y[0],
    ]
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x[..3].iter().zip(y).map(|(x, y)| x * y).sum()
}

fn normalize(q: &mut [f64]) {
    let length = dot(q, q).sqrt();
    for x in q {
        *x /= length;
    }
}

/// The smallest rotation that turns a vector into another one's direction.
fn way(q: &[f64], p: &[f64]) -> [f64; 3] {
    let axis = cross(q, p);
    let sine = dot(&axis, &axis).sqrt();
    let angle = sine.atan2(dot(q, p));
    axis.map(|x| if sine > 0.0 { x * angle / sine } else { 0.0 })
}

/// One action in a product.
#[derive(Clone, Debug)]
struct Factor {
    action: Action,
    config: Range<usize>,
    velocity: Range<usize>,
}

/// A product of actions on flat vectors.
#[derive(Clone, Debug)]
pub struct Actions {
    factors: Vec<Factor>,
    start: Box<[f64]>,
    dof: usize,
}

impl Actions {
    /// Actions, each with the point where a run starts.
    ///
    /// # Panics
    /// If a point has not as many numbers as its action needs.
    pub fn new<'a>(factors: impl IntoIterator<Item = (Action, &'a [f64])>) -> Self {
        let (mut start, mut dof) = (Vec::new(), 0);
        let factors = factors.into_iter().map(|(action, point)| {
            assert_eq!(point.len(), action.config_len(), "numbers of {action:?}");
            let config = start.len()..start.len() + point.len();
            let velocity = dof..dof + action.dof();
            start.extend_from_slice(point);
            dof = velocity.end;
            Factor {
                action,
                config,
                velocity,
            }
        });
        Self {
            factors: factors.collect(),
            start: start.into_boxed_slice(),
            dof,
        }
    }
}

impl Manifold for Actions {
    type Config = Box<[f64]>;
    type Velocity = Box<[f64]>;

    fn start_config(&self) -> Box<[f64]> {
        self.start.clone()
    }
    fn new_velocity(&self) -> Box<[f64]> {
        Storage::zeros(self.dof)
    }
    fn displace(&self, q: &Box<[f64]>, theta: &Box<[f64]>, out: &mut Box<[f64]>) {
        for Factor {
            action,
            config,
            velocity,
        } in &self.factors
        {
            let (q, out) = (&q[config.clone()], &mut out[config.clone()]);
            action.displace(q, &theta[velocity.clone()], out);
        }
    }
    fn bracket(&self, x: &Box<[f64]>, y: &Box<[f64]>, out: &mut Box<[f64]>) {
        for Factor {
            action, velocity, ..
        } in &self.factors
        {
            let place = || velocity.clone();
            action.bracket(&x[place()], &y[place()], &mut out[place()]);
        }
    }
    fn difference(&self, q: &Box<[f64]>, p: &Box<[f64]>, out: &mut Box<[f64]>) {
        for Factor {
            action,
            config,
            velocity,
        } in &self.factors
        {
            let (q, p) = (&q[config.clone()], &p[config.clone()]);
            action.difference(q, p, &mut out[velocity.clone()]);
        }
    }
    fn tangent(&self, theta: &Box<[f64]>, w: &Box<[f64]>, out: &mut Box<[f64]>) {
        for Factor {
            action, velocity, ..
        } in &self.factors
        {
            let place = || velocity.clone();
            action.on_side(&theta[place()], |group, theta| {
                group.tangent_times(theta, &w[place()], &mut out[place()]);
            });
        }
    }
    fn tangent_inverse(&self, theta: &Box<[f64]>, v: &Box<[f64]>, out: &mut Box<[f64]>) {
        for Factor {
            action, velocity, ..
        } in &self.factors
        {
            let place = || velocity.clone();
            action.on_side(&theta[place()], |group, theta| {
                group.tangent_inverse_times(theta, &v[place()], &mut out[place()]);
            });
        }
    }
    fn renormalize(&self, q: &mut Box<[f64]>) {
        for Factor { action, config, .. } in &self.factors {
            action.renormalize(&mut q[config.clone()]);
        }
    }
    fn defect(&self, q: &Box<[f64]>) -> Option<(String, f64)> {
        let defects = self.factors.iter().enumerate().filter_map(|(i, factor)| {
            let (name, size) = factor.action.defect(&q[factor.config.clone()])?;
            Some((format!("{name} of factor {i}"), size))
        });
        defects.max_by(|x, y| x.1.abs().total_cmp(&y.1.abs()))
    }
}
