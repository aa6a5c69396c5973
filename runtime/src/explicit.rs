//! Explicit Lie group methods: for first-order equations ([`Flow`](crate::flow::Flow)) and for mechanisms
//! without constraints.
//!
//! | methods | how stages are reached |
//! |---|---|
//! | [`MuntheKaas`] | by one exponential of what a Runge-Kutta method gives in the algebra |
//! | [`CommutatorFree`] | by products of exponentials, without commutators |
//!
//! Of a mechanism `y = (q, v)`: the group moves `q`, and `v` is a vector beside it.
//!
//! Source: E. Celledoni, E. Cokaj, A. Leone, D. Murari, B. Owren, Int. J. Comput. Math. 99 (2022),
//! section 2, and what it refers to.

mod commutator_free;
mod munthe_kaas;
mod pair;
mod products;
mod stages;
mod tableau;
#[cfg(test)]
mod tests;

pub use self::commutator_free::CommutatorFree;
pub use self::munthe_kaas::{Inverse, MuntheKaas};
pub use self::pair::Tolerance;
pub use self::tableau::Tableau;
