//! The stored states of a run as a table.
//!
//! One line per state: time, configuration, velocity, acceleration, multipliers, under the names
//! of bodies and joints. Numbers have as many digits as are needed to read back the same number.

use std::io::{self, Write};

use polhode::trajectory::{Columns, csv_field};
use polhode_models::machine::Machine;

use crate::simulate::Simulated;

/// Comma-separated values with one line of names.
pub(crate) fn write_csv(
    machine: &dyn Machine,
    simulated: &Simulated,
    to: &mut impl Write,
) -> io::Result<()> {
    let Columns { q, v, vdot, lambda } = machine.columns();
    write!(to, "t")?;
    for name in [q, v, vdot, lambda].iter().flatten() {
        write!(to, ",{}", csv_field(name))?;
    }
    writeln!(to)?;
    for state in &simulated.states {
        write!(to, "{:?}", state.t)?;
        for number in [&state.q, &state.v, &state.vdot, &state.lambda]
            .into_iter()
            .flatten()
        {
            write!(to, ",{number:?}")?;
        }
        writeln!(to)?;
    }
    Ok(())
}
