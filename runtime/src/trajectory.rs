//! Stored states, and their writers.
//!
//! Numbers are written with as many digits as are needed to read back the same
//! number. A table in CSV has one line per state: time, configuration, velocity,
//! acceleration, multipliers, under the names of bodies and joints.

use std::io;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::lie::GroupKind;
use crate::state::State;
use crate::system::{Constrained, Manifold};

/// States in the order of time.
pub struct Trajectory<S: Constrained> {
    columns: Columns,
    states: Vec<State<S>>,
}

/// Names of the components of a state.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Columns {
    /// Components of the configuration, `body.R11`, `body.x`, `modes.x[0]` or `joint.angle`.
    pub q: Vec<String>,
    /// Components of the velocity, `body.omega_x`, `body.v_x` or `modes.v[0]`.
    pub v: Vec<String>,
    /// Components of the acceleration, `body.domega_x`, `body.dv_x` or `modes.dv[0]`.
    pub vdot: Vec<String>,
    /// Multipliers, `lambda.joint`.
    pub lambda: Vec<String>,
}

const MATRIX: [&str; 9] = [
    "R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33",
];
const QUATERNION: [&str; 4] = ["p_w", "p_x", "p_y", "p_z"];
const POSITION: [&str; 3] = ["x", "y", "z"];
const ANGULAR: [&str; 3] = ["omega_x", "omega_y", "omega_z"];
const LINEAR: [&str; 3] = ["v_x", "v_y", "v_z"];

/// Names of the numbers in an element and in a velocity of a group.
fn component_names(kind: GroupKind) -> (Vec<String>, Vec<String>) {
    let own = |parts: &[&[&str]]| parts.concat().iter().map(ToString::to_string).collect();
    match kind {
        GroupKind::SO3 => (own(&[&MATRIX]), own(&[&ANGULAR])),
        GroupKind::S3 => (own(&[&QUATERNION]), own(&[&ANGULAR])),
        GroupKind::SO3xR3 | GroupKind::SE3 => {
            (own(&[&MATRIX, &POSITION]), own(&[&ANGULAR, &LINEAR]))
        }
        GroupKind::S3xR3 | GroupKind::S3sR3 => {
            (own(&[&QUATERNION, &POSITION]), own(&[&ANGULAR, &LINEAR]))
        }
        GroupKind::Rn(n) if n <= 3 => (own(&[&POSITION[..n]]), own(&[&LINEAR[..n]])),
        // As formulas count them.
        GroupKind::Rn(n) => (
            (0..n).map(|k| format!("x[{k}]")).collect(),
            (0..n).map(|k| format!("v[{k}]")).collect(),
        ),
    }
}

/// Names of the components of a configuration and of a velocity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Of a configuration.
    pub q: Vec<String>,
    /// Of a velocity; an acceleration has a `d` before the last part.
    pub v: Vec<String>,
}

impl Names {
    /// `q[0]`, `v[0]` and so on.
    pub(crate) fn numbered(manifold: &(impl Manifold + ?Sized)) -> Self {
        let numbered =
            |name: &str, count: usize| (0..count).map(|i| format!("{name}[{i}]")).collect();
        Self {
            q: numbered("q", manifold.start_config().as_ref().len()),
            v: numbered("v", manifold.new_velocity().as_ref().len()),
        }
    }

    /// Adds those of a body on a group.
    pub(crate) fn add(&mut self, body: &str, kind: GroupKind) {
        let (q, v) = component_names(kind);
        self.q.extend(q.iter().map(|name| format!("{body}.{name}")));
        self.v.extend(v.iter().map(|name| format!("{body}.{name}")));
    }
}

/// The name of an acceleration.
fn derivative(velocity: &str) -> String {
    match velocity.rsplit_once('.') {
        Some((body, name)) => format!("{body}.d{name}"),
        None => format!("d{velocity}"),
    }
}

impl Columns {
    /// The names of a system.
    pub fn new<S: Constrained>(system: &S) -> Self {
        let Names { q, v } = system.names();
        let name = |row| format!("lambda.{}", system.constraint_name(row));
        Self {
            q,
            vdot: v.iter().map(|name| derivative(name)).collect(),
            v,
            lambda: (0..system.constraint_count()).map(name).collect(),
        }
    }
}

impl<S: Constrained> Trajectory<S> {
    /// An empty trajectory.
    pub fn new(system: &S) -> Self {
        Self {
            columns: Columns::new(system),
            states: Vec::new(),
        }
    }

    /// Adds a state at the end.
    pub fn push(&mut self, state: State<S>) {
        self.states.push(state);
    }

    /// All states.
    pub fn states(&self) -> &[State<S>] {
        &self.states
    }

    /// Names of the components.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Writes a table of comma-separated values with one line of names.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_csv(&self, to: &mut impl io::Write) -> io::Result<()> {
        let Columns { q, v, vdot, lambda } = &self.columns;
        write!(to, "t")?;
        for name in [q, v, vdot, lambda].into_iter().flatten() {
            write!(to, ",{}", csv_field(name))?;
        }
        writeln!(to)?;
        for state in &self.states {
            write!(to, "{:?}", state.t)?;
            let parts = [
                state.q.as_ref(),
                state.v.as_ref(),
                state.vdot.as_ref(),
                state.lambda.as_ref(),
            ];
            for number in parts.into_iter().flatten() {
                write!(to, ",{number:?}")?;
            }
            writeln!(to)?;
        }
        Ok(())
    }

    /// Names and states as JSON.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_json(&self, to: &mut impl io::Write) -> io::Result<()> {
        serde_json::to_writer(to, self).map_err(io::Error::from)
    }
}

impl<S: Constrained> core::fmt::Debug for Trajectory<S> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(&self.states).finish()
    }
}

/// A name in a table of comma-separated values: quoted if it contains a separator, and behind an
/// apostrophe if a spreadsheet would take it for a formula.
pub fn csv_field(name: &str) -> String {
    let apostrophe = if name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        "'"
    } else {
        ""
    };
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{apostrophe}{}\"", name.replace('"', "\"\""))
    } else {
        format!("{apostrophe}{name}")
    }
}

#[derive(serde::Serialize)]
struct Record<'a> {
    t: f64,
    q: &'a [f64],
    v: &'a [f64],
    vdot: &'a [f64],
    lambda: &'a [f64],
}

impl<S: Constrained> Serialize for Trajectory<S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        let records: Vec<_> = self
            .states
            .iter()
            .map(|state| Record {
                t: state.t,
                q: state.q.as_ref(),
                v: state.v.as_ref(),
                vdot: state.vdot.as_ref(),
                lambda: state.lambda.as_ref(),
            })
            .collect();
        let mut object = serializer.serialize_struct("Trajectory", 2)?;
        object.serialize_field("columns", &self.columns)?;
        object.serialize_field("states", &records)?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pendulum::Pendulum;

    fn example() -> Trajectory<Pendulum> {
        let system = Pendulum::new(0.2);
        let mut trajectory = Trajectory::new(&system);
        let mut state = State::start(&system, 0.1 + 0.2);
        state.vdot = [1e-300, -1.0 / 3.0];
        trajectory.push(state);
        trajectory
    }

    #[test]
    fn csv_has_names_and_exact_numbers() -> Result<(), Box<dyn std::error::Error>> {
        let trajectory = example();
        let mut text = Vec::new();
        trajectory.write_csv(&mut text)?;
        let text = String::from_utf8(text)?;
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "t,bob.x,bob.y,bob.v_x,bob.v_y,bob.dv_x,bob.dv_y,\"lambda.rod, length\""
        );
        let numbers = lines[1]
            .split(',')
            .map(str::parse)
            .collect::<Result<Vec<f64>, _>>()?;
        let state = &trajectory.states()[0];
        let expected = [
            &[state.t][..],
            &state.q,
            &state.v,
            &state.vdot,
            &state.lambda,
        ]
        .concat();
        assert_eq!(numbers, expected);
        assert_eq!(lines.len(), 2);
        Ok(())
    }

    #[test]
    fn no_name_is_a_formula() {
        for (name, expected) in [
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("@SUM(1,2).x", "\"'@SUM(1,2).x\""),
            ("+1.v_x", "'+1.v_x"),
            ("-1|x!A0", "'-1|x!A0"),
            ("bob.x", "bob.x"),
            ("a=b", "a=b"),
        ] {
            assert_eq!(csv_field(name), expected);
        }
    }

    #[test]
    fn json_numbers_are_exact() -> Result<(), Box<dyn std::error::Error>> {
        let trajectory = example();
        let mut text = Vec::new();
        trajectory.write_json(&mut text)?;
        let value: serde_json::Value = serde_json::from_slice(&text)?;
        let state = &trajectory.states()[0];
        assert_eq!(value["states"][0]["t"], state.t);
        assert_eq!(value["states"][0]["q"][1], state.q[1]);
        assert_eq!(value["states"][0]["vdot"][0], 1e-300);
        assert_eq!(value["columns"]["q"][0], "bob.x");
        Ok(())
    }

    #[test]
    fn every_group_names_all_its_numbers() {
        let kinds = [
            GroupKind::SO3,
            GroupKind::S3,
            GroupKind::SO3xR3,
            GroupKind::SE3,
            GroupKind::S3xR3,
            GroupKind::S3sR3,
            GroupKind::Rn(1),
            GroupKind::Rn(5),
        ];
        for kind in kinds {
            let (q, v) = component_names(kind);
            assert_eq!(
                (q.len(), v.len()),
                (kind.config_len(), kind.dof()),
                "{kind:?}"
            );
        }
        let (q, v) = component_names(GroupKind::Rn(5));
        assert_eq!((&q[4][..], &v[0][..]), ("x[4]", "v[0]"));
    }
}
