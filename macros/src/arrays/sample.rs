//! Counts and literals to try checks with.
//!
//! What is connected with what does not depend on how long a long array is, so that large numbers
//! are replaced by smaller ones. Those that belong together stay together: with the first large
//! number `m` of a model, the smallest, others are
//!
//! ```text
//! k m + r      r small, for arrays of N - 1, N + 1, 2 N elements
//! ```
//!
//! or sums of two such numbers, or large numbers of their own.

use super::affine::Affine;
use super::model::{Arrays, Target};

/// Larger numbers are replaced.
const LARGE: i64 = 500;

/// What is added to a multiple of a large number.
const SMALL: i64 = 64;

/// Values of counts and literals.
pub(crate) struct Sample {
    counts: Vec<i64>,
    /// Large numbers, with what stands for them; sorted.
    replaced: Vec<(i64, i64)>,
}

impl Sample {
    /// All numbers as they are.
    pub(crate) fn whole(arrays: &Arrays) -> Self {
        Self {
            counts: arrays.samples(),
            replaced: Vec::new(),
        }
    }

    /// Large numbers replaced by smaller ones; nothing if there are none.
    pub(crate) fn reduced(arrays: &Arrays) -> Option<Self> {
        let mut large: Vec<i64> = constants(arrays)
            .into_iter()
            .chain(arrays.samples())
            .map(i64::abs)
            .filter(|n| *n > LARGE)
            .collect();
        large.sort_unstable();
        large.dedup();
        if large.is_empty() {
            return None;
        }
        let mut replaced: Vec<(i64, i64)> = Vec::with_capacity(large.len());
        // Numbers of their own, with what stands for them.
        let mut own: Vec<(i64, i64)> = Vec::new();
        for n in large {
            let found = related(n, &own);
            let stands = found.unwrap_or_else(|| {
                // Not a sum of those before, and larger than all of them.
                own.last().map_or(LARGE, |(_, last)| 2 * last + 3 * SMALL)
            });
            if found.is_none() {
                own.push((n, stands));
            }
            replaced.push((n, stands));
        }
        let mut sample = Self {
            counts: Vec::new(),
            replaced,
        };
        let counts = arrays.samples().into_iter();
        sample.counts = counts.map(|count| sample.number(count)).collect();
        Some(sample)
    }

    fn number(&self, n: i64) -> i64 {
        let found = self.replaced.binary_search_by_key(&n.abs(), |(n, _)| *n);
        found.map_or(n, |place| n.signum() * self.replaced[place].1)
    }

    /// The value of a length or an index.
    pub(crate) fn at(&self, affine: &Affine, index: i64) -> Option<i64> {
        let constant = self.number(affine.constant);
        let affine = Affine {
            constant,
            ..affine.clone()
        };
        affine.at(&self.counts, index)
    }
}

/// `k m + r` or `m + n + r`, with what stands for `m` and `n`.
fn related(number: i64, own: &[(i64, i64)]) -> Option<i64> {
    let rest = |base: i64| Some(number - base).filter(|rest| rest.abs() <= SMALL);
    let multiple = own.iter().find_map(|(m, stands)| {
        let factor = (number + m / 2) / m;
        let few = factor <= 16;
        rest(factor * m)
            .filter(|_| few)
            .map(|r| factor * stands + r)
    });
    multiple.or_else(|| {
        let pairs = own.iter().flat_map(|a| own.iter().map(move |b| (a, b)));
        pairs
            .into_iter()
            .find_map(|(a, b)| rest(a.0 + b.0).map(|r| a.1 + b.1 + r))
    })
}

/// The numbers of all lengths and indices that a graph depends on.
fn constants(arrays: &Arrays) -> Vec<i64> {
    let mut found: Vec<&Affine> = Vec::new();
    for member in &arrays.members {
        found.extend(&member.len);
    }
    for rod in &arrays.rods {
        found.extend(&rod.len);
        found.extend(rod.ends.iter().map(|end| &end.index));
    }
    for joint in &arrays.joints {
        found.extend(&joint.len);
        found.extend(joint.ends.iter().flatten().map(|end| &end.index));
    }
    for load in &arrays.loads {
        found.extend(&load.len);
        if let Target::Point(element, _) = &load.target {
            found.push(&element.index);
        }
    }
    for force in &arrays.forces {
        found.extend(&force.len);
        let ends = force.ends().into_iter().flatten().flatten();
        found.extend(ends.map(|end| &end.index));
    }
    found.into_iter().map(|affine| affine.constant).collect()
}
