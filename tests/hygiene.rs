//! Generated code in programs whose names mean other things: what the standard library calls
//! `Result` or `vec!`, constants that are called like local variables, traits for all types.

// The names are the point.
#![allow(dead_code, unused_imports, unused_macros, unused_variables)]
#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]
#![allow(
    clippy::default_trait_access,
    clippy::default_constructed_unit_structs,
    clippy::new_ret_no_self,
    clippy::wrong_self_convention,
    clippy::pedantic
)]

mod plain {
    const LENGTH: f64 = 0.5;
    include!("hygiene/models.rs");
}

/// What many programs import.
mod imports {
    use std::f64;
    use std::fmt::*;
    use std::io::Result;
    use std::string;
    use std::vec;
    const LENGTH: f64 = 0.5;
    include!("hygiene/models.rs");
}

/// Types, variants and functions with the names of the prelude.
mod types {
    type Result<T> = ::core::option::Option<T>;
    struct String;
    struct Vec;
    struct Box;
    struct Option;
    struct Some;
    struct None;
    struct Ok(u8);
    fn Err() {}
    struct Clone;
    struct Copy;
    struct Debug;
    struct Default;
    struct PartialEq;
    struct From;
    struct LazyLock;
    mod core {}
    mod std {}
    mod polhode {}
    const LENGTH: f64 = 0.5;
    include!("hygiene/models.rs");
}

/// Macros with the names of the prelude.
mod macros {
    macro_rules! vec {
        ($($any:tt)*) => {
            compile_error!("the program's own `vec!`")
        };
    }
    macro_rules! assert {
        ($($any:tt)*) => {
            compile_error!("the program's own `assert!`")
        };
    }
    macro_rules! unreachable {
        ($($any:tt)*) => {
            compile_error!("the program's own `unreachable!`")
        };
    }
    const LENGTH: f64 = 0.5;
    include!("hygiene/models.rs");
}

/// Nothing of the prelude.
#[no_implicit_prelude]
mod bare {
    const LENGTH: f64 = 0.5;
    ::core::include!("hygiene/models.rs");
}

/// Constants, statics and structs with the names of variables.
mod constants {
    const h: f64 = 1.0;
    const t: f64 = 1.0;
    const q: f64 = 1.0;
    const v: usize = 1;
    const w: f64 = 1.0;
    const c: f64 = 1.0;
    const p: f64 = 1.0;
    const n: f64 = 1.0;
    const i: f64 = 1.0;
    const k: f64 = 1.0;
    const u: f64 = 1.0;
    const z: f64 = 1.0;
    const lu: f64 = 1.0;
    const out: f64 = 1.0;
    const theta: f64 = 1.0;
    const lambda: f64 = 1.0;
    const x0: f64 = 1.0;
    const x17: f64 = 1.0;
    const q0: f64 = 1.0;
    const v1: f64 = 1.0;
    const o0: f64 = 1.0;
    const m0: f64 = 1.0;
    const j0: f64 = 1.0;
    const e0: f64 = 1.0;
    const row: f64 = 1.0;
    const model: f64 = 1.0;
    const parts: f64 = 1.0;
    const index: f64 = 1.0;
    const origin: f64 = 1.0;
    const joints: f64 = 1.0;
    const start: f64 = 1.0;
    const description: f64 = 1.0;
    const parameters: f64 = 1.0;
    const coefficients: f64 = 1.0;
    static s: f64 = 1.0;
    static g: f64 = 1.0;
    struct a;
    struct b;
    struct right;
    fn x1() {}
    fn outside() {}
    const LENGTH: f64 = 0.5;
    include!("hygiene/models.rs");
}

/// A trait for all types, whose methods take what they are called on.
mod traits {
    trait Everything: Sized {
        fn into(self) {}
        fn clone(self) {}
        fn to_owned(self) {}
        fn default(self) {}
        fn new(self) {}
        fn unwrap_or(self) {}
        fn started(self) {}
        fn space(self) {}
        fn displace(self) {}
        fn copy_from_slice(self) {}
        fn len(self) {}
        fn map(self) {}
        fn then(self) {}
        fn at(self) {}
        fn name(self) {}
        fn nodes(self) {}
        fn bodies(self) {}
        fn joints(self) {}
        fn elements(self) {}
        fn forces(self) {}
        fn at_time(self) {}
        fn tree(self) {}
        fn network(self) {}
        fn kinks(self) {}
    }
    impl<T> Everything for T {}
    const LENGTH: f64 = 0.5;
    include!("hygiene/models.rs");
}

/// Modules with the names of those of generated code.
mod modules {
    const LENGTH: f64 = 0.5;
    mod rt {
        pub(super) const MASS: f64 = 3.0;
    }
    #[polhode::multibody]
    pub(super) struct Point {
        #[body(mass = rt::MASS, free)]
        point: Body<R3>,
    }
}

/// Models with the names of types of the standard library.
mod models {
    #[polhode::multibody]
    #[derive(Debug)]
    pub struct Vec {
        #[param(default = 1.0)]
        mass: f64,
        #[body(mass = mass, free)]
        point: Body<R3>,
        #[force(point, force = [0.0, 0.0, sin(t)])]
        push: Load,
    }
    #[polhode::multibody]
    pub struct Option {
        #[body(mass = 1.0)]
        #[start(position = [i, 0.0, 0.0])]
        points: [Body<R3>; 2],
        #[joint(points[0], points[1], length = 1.0)]
        rod: Distance,
    }
    #[polhode::multibody]
    pub struct Result {
        #[body(mass = 1.0, free)]
        point: Body<R3>,
    }
    #[polhode::multibody]
    pub struct String {
        #[body(mass = 1.0, free)]
        point: Body<R3>,
    }
    #[polhode::multibody]
    pub struct Box {
        #[body(mass = 1.0, free)]
        point: Body<R3>,
        #[force(point, force = [0.0, 0.0, sin(t)])]
        push: Load,
    }
    #[polhode::multibody]
    pub struct Some {
        #[body(mass = 1.0, free)]
        point: Body<R3>,
    }
    #[polhode::multibody]
    pub struct Default {
        #[param(default = 1.0)]
        mass: f64,
        #[body(mass = mass, free)]
        point: Body<R3>,
    }
}

#[test]
fn names_of_the_program_change_nothing() {
    let expected = plain::numbers();
    assert!(expected.iter().all(|x| x.is_finite()), "{expected:?}");
    assert_eq!(imports::numbers(), expected);
    assert_eq!(types::numbers(), expected);
    assert_eq!(macros::numbers(), expected);
    assert_eq!(bare::numbers(), expected);
    assert_eq!(constants::numbers(), expected);
    assert_eq!(traits::numbers(), expected);
}

#[test]
fn constants_are_those_of_the_program() {
    let model = modules::Point::new().unwrap();
    assert_eq!(model.description().bodies[0].mass, 3.0);
}

#[test]
fn models_may_have_any_name() {
    let model = models::Vec::default();
    assert_eq!(model.description().name, "Vec");
    assert_eq!(models::Box::default().description().name, "Box");
    assert!(models::Option::new().is_ok());
}
