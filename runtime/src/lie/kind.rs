//! Groups chosen at run time.

use std::fmt;
use std::str::FromStr;

use nalgebra::SVector;
use serde::{Deserialize, Serialize};

use super::blend::Blend;
use super::packed::Packed;
use super::{LieGroup, S3, S3sR3, S3xR3, SE3, SO3, SO3xR3};

/// A Lie group by name. All operations are those of [`LieGroup`] on flat slices:
/// elements of [`config_len`](Self::config_len) numbers, the rotation matrix by
/// rows or the quaternion with its scalar part first, then the translation; and
/// vectors and square matrices, by rows, of [`dof`](Self::dof) dimensions.
///
/// Slices of another length are an error of the caller; shorter ones panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum GroupKind {
    /// [`SO3`].
    SO3,
    /// [`S3`].
    S3,
    /// [`SO3xR3`].
    SO3xR3,
    /// [`SE3`].
    SE3,
    /// [`S3xR3`].
    S3xR3,
    /// [`S3sR3`].
    S3sR3,
    /// The vectors of the given dimension under addition.
    Rn(usize),
}

/// No group has this name.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown group `{name}`; the groups are SO3, S3, SO3xR3, SE3, S3xR3, S3sR3, and R1, R2, R3, ..."
)]
pub struct UnknownGroup {
    /// The name as given.
    pub name: String,
}

/// Evaluates `$body` with `$group` the type of the kind, or `$flat` with `$n`
/// the dimension of a vector space.
macro_rules! with_group {
    ($kind:expr, $group:ident => $body:expr, $n:pat => $flat:expr) => {
        match $kind {
            GroupKind::SO3 => with_group!(SO3, $group, $body),
            GroupKind::S3 => with_group!(S3, $group, $body),
            GroupKind::SO3xR3 => with_group!(SO3xR3, $group, $body),
            GroupKind::SE3 => with_group!(SE3, $group, $body),
            GroupKind::S3xR3 => with_group!(S3xR3, $group, $body),
            GroupKind::S3sR3 => with_group!(S3sR3, $group, $body),
            GroupKind::Rn($n) => $flat,
        }
    };
    ($type:ident, $group:ident, $body:expr) => {{
        type $group = $type;
        $body
    }};
}

/// The slice as a vector of statically known length.
#[inline]
fn vector<const N: usize>(slice: &[f64]) -> SVector<f64, N> {
    SVector::from_column_slice(slice)
}

/// The identity matrix of dimension `n`, by rows.
fn identity_matrix(n: usize, out: &mut [f64]) {
    out.fill(0.0);
    out.iter_mut().step_by(n + 1).for_each(|entry| *entry = 1.0);
}

impl GroupKind {
    /// How many numbers describe an element.
    #[inline]
    pub fn config_len(self) -> usize {
        with_group!(self, G => <G as Packed>::LEN, n => n)
    }

    /// The dimension of the group.
    #[inline]
    pub fn dof(self) -> usize {
        match self {
            Self::SO3 | Self::S3 => 3,
            Self::SO3xR3 | Self::SE3 | Self::S3xR3 | Self::S3sR3 => 6,
            Self::Rn(n) => n,
        }
    }

    /// `out = e`.
    pub fn identity(self, out: &mut [f64]) {
        with_group!(self, G => G::identity().write(out), _ => out.fill(0.0));
    }

    /// `out = a ∘ b`.
    #[inline]
    pub fn compose(self, a: &[f64], b: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => G::read(a).compose(&G::read(b)).write(out),
            n => (0..n).for_each(|i| out[i] = a[i] + b[i])
        );
    }

    /// `out = q⁻¹`.
    #[inline]
    pub fn inverse(self, q: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => G::read(q).inverse().write(out),
            n => (0..n).for_each(|i| out[i] = -q[i])
        );
    }

    /// `out = exp(theta)`.
    #[inline]
    pub fn exp(self, theta: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => G::exp(&vector(theta)).write(out),
            _ => out.copy_from_slice(theta)
        );
    }

    /// `out = log(q)`.
    #[inline]
    pub fn log(self, q: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => out.copy_from_slice(G::read(q).log().as_slice()),
            _ => out.copy_from_slice(q)
        );
    }

    /// `out = q ∘ exp(theta)`.
    ///
    /// A quaternion is brought back to unit length to first order,
    /// `p <- p (3 - |p|²) / 2`, so that rounding errors do not add up over many steps.
    #[inline(always)]
    pub fn displace(self, q: &[f64], theta: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => G::read(q).compose(&G::exp(&vector(theta))).write(out),
            n => (0..n).for_each(|i| out[i] = q[i] + theta[i])
        );
        if let Self::S3 | Self::S3xR3 | Self::S3sR3 = self {
            let quaternion = &mut out[..4];
            let square: f64 = quaternion.iter().map(|x| x * x).sum();
            let scale = 1.5 - 0.5 * square;
            for x in quaternion {
                *x *= scale;
            }
        }
    }

    /// `out = log(a⁻¹ ∘ b)`.
    #[inline]
    pub fn difference(self, a: &[f64], b: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => out.copy_from_slice(G::read(a).difference(&G::read(b)).as_slice()),
            n => (0..n).for_each(|i| out[i] = b[i] - a[i])
        );
    }

    /// `out = T(theta) w`.
    #[inline]
    pub fn tangent_times(self, theta: &[f64], w: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => out.copy_from_slice(G::tangent_times(&vector(theta), &vector(w)).as_slice()),
            _ => out.copy_from_slice(w)
        );
    }

    /// `out = T(theta)⁻¹ w`.
    #[inline(always)]
    pub fn tangent_inverse_times(self, theta: &[f64], w: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => out.copy_from_slice(G::tangent_inverse_times(&vector(theta), &vector(w)).as_slice()),
            _ => out.copy_from_slice(w)
        );
    }

    /// `out = D_theta[T(theta) x] w`.
    #[inline]
    pub fn tangent_derivative_times(self, theta: &[f64], x: &[f64], w: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => {
                let derivative = G::tangent_derivative(&vector(theta), &vector(x));
                out.copy_from_slice((derivative * vector(w)).as_slice());
            },
            _ => out.fill(0.0)
        );
    }

    /// `out = D_theta[T(theta)⁻¹ x] w`.
    #[inline]
    pub fn tangent_inverse_derivative_times(
        self,
        theta: &[f64],
        x: &[f64],
        w: &[f64],
        out: &mut [f64],
    ) {
        with_group!(
            self,
            G => {
                let derivative = G::tangent_inverse_derivative(&vector(theta), &vector(x));
                out.copy_from_slice((derivative * vector(w)).as_slice());
            },
            _ => out.fill(0.0)
        );
    }

    /// `out = [x, y]`.
    #[inline]
    pub fn ad_times(self, x: &[f64], y: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => out.copy_from_slice(G::ad_times(&vector(x), &vector(y)).as_slice()),
            _ => out.fill(0.0)
        );
    }

    /// `out = a ∘ exp(s log(a⁻¹ ∘ b))`.
    pub fn interpolate(self, a: &[f64], b: &[f64], s: f64, out: &mut [f64]) {
        with_group!(
            self,
            G => G::read(a).interpolate(&G::read(b), s).write(out),
            n => (0..n).for_each(|i| out[i] = a[i] + s * (b[i] - a[i]))
        );
    }

    /// `|log(a⁻¹ ∘ b)|²`.
    pub(super) fn distance_squared(self, a: &[f64], b: &[f64]) -> f64 {
        with_group!(
            self,
            G => G::read(a).difference(&G::read(b)).norm_squared(),
            n => (0..n).map(|i| (b[i] - a[i]).powi(2)).sum()
        )
    }

    /// Moves `q` to the group element that rounding errors took it from.
    pub fn renormalize(self, q: &mut [f64]) {
        with_group!(self, G => G::read(q).renormalized().write(q), _ => ());
    }

    /// How far `q` is from the group.
    pub fn defect(self, q: &[f64]) -> f64 {
        with_group!(self, G => G::read(q).defect(), _ => 0.0)
    }

    /// `out = T(theta)`.
    pub fn tangent_into(self, theta: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => out.copy_from_slice(G::tangent(&vector(theta)).transpose().as_slice()),
            n => identity_matrix(n, out)
        );
    }

    /// `out = D_theta[T(theta) x]`.
    pub fn tangent_derivative_into(self, theta: &[f64], x: &[f64], out: &mut [f64]) {
        with_group!(
            self,
            G => {
                let derivative = G::tangent_derivative(&vector(theta), &vector(x));
                out.copy_from_slice(derivative.transpose().as_slice());
            },
            _ => out.fill(0.0)
        );
    }

    /// `out = (sigma I + (1 - sigma) T(theta))⁻¹ rhs`.
    #[inline]
    pub fn blend_solve(self, sigma: f64, theta: &[f64], rhs: &[f64], out: &mut [f64]) {
        if 1.0 - sigma == 0.0 {
            return out.copy_from_slice(rhs);
        }
        with_group!(
            self,
            G => {
                let solution = G::blend_solve(sigma, &vector(theta), &vector(rhs));
                out.copy_from_slice(solution.as_slice());
            },
            _ => out.copy_from_slice(rhs)
        );
    }

    /// `out = (sigma I + (1 - sigma) T(theta))⁻¹`.
    pub fn blend_inverse_into(self, sigma: f64, theta: &[f64], out: &mut [f64]) {
        if 1.0 - sigma == 0.0 {
            return identity_matrix(self.dof(), out);
        }
        with_group!(
            self,
            G => {
                let inverse = G::blend_inverse(sigma, &vector(theta));
                out.copy_from_slice(inverse.transpose().as_slice());
            },
            n => identity_matrix(n, out)
        );
    }
}

impl fmt::Display for GroupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rn(n) => write!(f, "R{n}"),
            named => fmt::Debug::fmt(named, f),
        }
    }
}

impl FromStr for GroupKind {
    type Err = UnknownGroup;

    fn from_str(name: &str) -> Result<Self, UnknownGroup> {
        let dimension = name.strip_prefix('R').and_then(|n| n.parse().ok());
        match (name, dimension) {
            ("SO3", _) => Ok(Self::SO3),
            ("S3", _) => Ok(Self::S3),
            ("SO3xR3", _) => Ok(Self::SO3xR3),
            ("SE3", _) => Ok(Self::SE3),
            ("S3xR3", _) => Ok(Self::S3xR3),
            ("S3sR3", _) => Ok(Self::S3sR3),
            (_, Some(n)) if n > 0 => Ok(Self::Rn(n)),
            _ => Err(UnknownGroup {
                name: name.to_owned(),
            }),
        }
    }
}

impl TryFrom<String> for GroupKind {
    type Error = UnknownGroup;

    fn try_from(name: String) -> Result<Self, UnknownGroup> {
        name.parse()
    }
}

impl From<GroupKind> for String {
    fn from(kind: GroupKind) -> Self {
        kind.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [(GroupKind, &str, usize, usize); 8] = [
        (GroupKind::SO3, "SO3", 9, 3),
        (GroupKind::S3, "S3", 4, 3),
        (GroupKind::SO3xR3, "SO3xR3", 12, 6),
        (GroupKind::SE3, "SE3", 12, 6),
        (GroupKind::S3xR3, "S3xR3", 7, 6),
        (GroupKind::S3sR3, "S3sR3", 7, 6),
        (GroupKind::Rn(2), "R2", 2, 2),
        (GroupKind::Rn(40), "R40", 40, 40),
    ];

    #[test]
    fn names_and_sizes() {
        for (kind, name, config_len, dof) in KINDS {
            assert_eq!(name.parse(), Ok(kind));
            assert_eq!(serde_json::json!(kind), name);
            assert_eq!(
                serde_json::from_value::<GroupKind>(name.into()).expect(name),
                kind
            );
            assert_eq!((kind.config_len(), kind.dof()), (config_len, dof));
        }
    }

    #[test]
    fn unknown_names_are_answered_with_the_known_ones() {
        for name in ["R0", "R", "so3", "R-1", ""] {
            let error = name.parse::<GroupKind>().expect_err(name).to_string();
            assert!(error.contains(&format!("`{name}`")) && error.contains("S3sR3"));
        }
    }

    /// The factors lie one after another, and the numbers of an element are the
    /// rotation by rows, then the translation.
    #[test]
    fn layout() {
        let theta = [0.0, 0.0, std::f64::consts::FRAC_PI_2, 1.0, 2.0, 3.0];
        let mut q = [0.0; 12];
        GroupKind::SO3xR3.exp(&theta, &mut q);
        let expected = [0., -1., 0., 1., 0., 0., 0., 0., 1., 1., 2., 3.];
        for (q, expected) in q.into_iter().zip(expected) {
            assert!((q - expected).abs() < 1e-15);
        }
        let mut derivative = [0.0; 36];
        GroupKind::SE3.tangent_derivative_into(&[0.0; 6], &theta, &mut derivative);
        let ad = SE3::<f64>::ad(&vector(&theta)) * 0.5;
        for i in 0..6 {
            for j in 0..6 {
                assert!((derivative[6 * i + j] - ad[(i, j)]).abs() < 1e-15);
            }
        }
    }
}
