//! How large a value may be: names stand for whole values, so a few short lines can describe more
//! than any computer holds.

use super::Value;
use crate::formula::Formula;

/// Most numbers of a list. The largest matrix that a body can have is a seventh of it with every
/// entry written out as an operation.
const MOST_NUMBERS: usize = 30_000;

/// Most numbers and operations of a formula, which is differentiated and written out.
const MOST_OPERATIONS: usize = 3_000;

/// Why a value is too large, and what to do.
pub(super) fn too_large(value: &Value) -> Option<String> {
    let mut numbers = MOST_NUMBERS;
    if !fits(value, &mut numbers) {
        return Some(too_many_numbers());
    }
    let large = |formula: &Formula| !formula.is_within(&mut { MOST_OPERATIONS });
    any(value, &large).then(|| {
        format!(
            "this formula has more than {MOST_OPERATIONS} operations\n  help: shorten it; every name counts with all that it stands for, and `powi(x, n)` with `n` times `x`"
        )
    })
}

/// Whether `len` times the value would be too large.
pub(super) fn too_many(value: &Value, len: usize) -> Option<String> {
    let mut numbers = MOST_NUMBERS / len.max(1);
    (len > 0 && !fits(value, &mut numbers)).then(too_many_numbers)
}

fn too_many_numbers() -> String {
    format!(
        "this list has more than {MOST_NUMBERS} numbers\n  help: write a shorter one; no component of a model takes that many"
    )
}

/// Whether there are no more numbers than are left.
fn fits(value: &Value, left: &mut usize) -> bool {
    let own = match value {
        Value::List(items) => return items.iter().all(|item| fits(item, left)),
        Value::Number(_) => 1,
        Value::Rotation(_) => 4,
    };
    let enough = *left >= own;
    *left = left.saturating_sub(own);
    enough
}

fn any(value: &Value, test: &dyn Fn(&Formula) -> bool) -> bool {
    match value {
        Value::Number(x) => test(x),
        Value::Rotation(parts) => parts.iter().any(test),
        Value::List(items) => items.iter().any(|item| any(item, test)),
    }
}
