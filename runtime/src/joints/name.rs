//! How a joint of a state is named: by text, which may be wrong, or by a constant of its model.

use core::fmt;
use core::marker::PhantomData;

use super::JointView;
use crate::state::State;
use crate::system::Bodies;

/// What [`State::joint`] finds a joint by.
pub trait JointName<S: Bodies + ?Sized> {
    /// The joint, if the name cannot be wrong.
    type Found<'a>
    where
        S: 'a;

    /// The joint of this name.
    fn find<'a>(self, system: &'a S, state: &'a State<S>) -> Self::Found<'a>;
}

/// A joint that the system has: `HeavyTop::PIVOT`, generated for each joint of a model.
pub struct Joint<S: ?Sized> {
    name: &'static str,
    system: PhantomData<fn(&S)>,
}

impl<S: ?Sized> Joint<S> {
    /// For generated code, which knows the names.
    #[doc(hidden)]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            system: PhantomData,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

// Derived, these would ask the same of the system.
impl<S: ?Sized> Clone for Joint<S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S: ?Sized> Copy for Joint<S> {}
impl<S: ?Sized> fmt::Debug for Joint<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Joint").field(&self.name).finish()
    }
}

impl<S: Bodies + ?Sized> JointName<S> for Joint<S> {
    type Found<'a>
        = JointView<'a, S>
    where
        S: 'a;

    fn find<'a>(self, system: &'a S, state: &'a State<S>) -> JointView<'a, S> {
        JointView::new(system, state, self.name).expect("a joint of the model")
    }
}

macro_rules! by_text {
    ($($text:ty),*) => {$(
        impl<S: Bodies + ?Sized> JointName<S> for $text {
            type Found<'a>
                = Option<JointView<'a, S>>
            where
                S: 'a;

            fn find<'a>(self, system: &'a S, state: &'a State<S>) -> Option<JointView<'a, S>> {
                JointView::new(system, state, self)
            }
        }
    )*};
}
by_text!(&str, &&str, &String);
