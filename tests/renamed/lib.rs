//! A library over polhode, which its users need not depend on.

/// The library below, with its attribute.
pub use ph as mechanics;

/// Models in the crate of the caller: a point mass on a spring, a body with given attributes, and
/// whatever is given.
#[macro_export]
macro_rules! oscillator {
    ($visibility:vis $name:ident, $body:ident on $group:ty, mass = $mass:expr) => {
        #[$crate::mechanics::multibody(crate = $crate::mechanics)]
        $visibility struct $name {
            #[body(mass = $mass)]
            #[start(position = [1.0, 0.0])]
            $body: Body<$group>,
            #[force(ground, $body, stiffness = 2.0, length = 0.5)]
            spring: SpringDamper,
        }
    };
    ($name:ident: $field:ident: $kind:ty, $($attribute:meta),*) => {
        #[$crate::mechanics::multibody(crate = $crate::mechanics)]
        struct $name {
            $(#[$attribute])*
            $field: $kind,
        }
    };
    ($item:item) => {
        #[$crate::mechanics::multibody(crate = $crate::mechanics)]
        $item
    };
}
