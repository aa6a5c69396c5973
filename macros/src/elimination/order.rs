//! The order of pivots.
//!
//! Every entry may be a pivot that is large enough in its row or column of what is
//! left, at each of several numeric samples of the matrix; among these the one whose
//! elimination changes the fewest entries is taken (Markowitz), best a number, best of all one
//! or minus one, which needs no division and no check. There are often many of these, and which
//! one is taken makes a difference of a third in the end: several orders are tried on the
//! structure of the matrix, and of those that keep the entries small the one with the fewest
//! operations is taken.

use super::Sample;

/// Smallest pivot against the largest entry of its row or column.
const THRESHOLD: f64 = 0.05;
/// How many orders of a matrix of size 72 are tried; fewer of larger ones, which take longer.
const TRIALS: usize = 24;
/// How large the entries of a matrix of size one may become: as many digits are lost. Sometimes
/// no pivot is left that is large enough, and they grow beyond all bounds.
const GROWTH: f64 = 100.0;

/// Where pivots may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pivots {
    Anywhere,
    OnTheDiagonal,
}

/// What is known of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Entry {
    Zero,
    /// One or minus one.
    Unit,
    Number,
    Expression,
}

impl Entry {
    fn is_zero(self) -> bool {
        self == Self::Zero
    }
}

/// Row and column of each pivot.
pub(super) type Order = Vec<(usize, usize)>;

/// The best order that was found. The samples are scaled to rows and columns of size one, so that
/// units do not matter.
pub(super) fn best(entries: &[Vec<Entry>], samples: &[Sample], pivots: Pivots) -> Order {
    let samples: Vec<Sample> = samples.iter().map(equilibrated).collect();
    let n = entries.len().max(72);
    let count = (TRIALS * 72 * 72 * 72 / (n * n * n)).max(1);
    let mut trials: Vec<Trial> = (0..count)
        .map(|number| Trial::run(entries, &samples, number, pivots))
        .collect();
    let stable = |trial: &Trial| trial.growth < GROWTH;
    if trials.iter().any(stable) {
        trials.retain(stable);
        trials.sort_by_key(|trial| trial.operations);
    } else {
        trials.sort_by(|a, b| a.growth.total_cmp(&b.growth));
    }
    let best = trials.into_iter().next();
    best.map_or_else(Vec::new, |trial| trial.order)
}

/// An elimination on structure and samples alone.
struct Trial {
    number: usize,
    pivots: Pivots,
    entries: Vec<Vec<Entry>>,
    samples: Vec<Sample>,
    /// Rows and columns that are left.
    rows: Vec<usize>,
    columns: Vec<usize>,
    /// How many entries each row and column has there.
    in_row: Vec<usize>,
    in_column: Vec<usize>,
    /// The largest entry of each row and column there, sample by sample.
    of_rows: Vec<Vec<f64>>,
    of_columns: Vec<Vec<f64>>,
    order: Order,
    operations: usize,
    /// The largest that an entry became.
    growth: f64,
}

impl Trial {
    fn run(entries: &[Vec<Entry>], samples: &[Sample], number: usize, pivots: Pivots) -> Self {
        let n = entries.len();
        let all: Vec<usize> = (0..n).collect();
        let mut trial = Self {
            number,
            pivots,
            entries: entries.to_vec(),
            samples: samples.to_vec(),
            rows: all.clone(),
            columns: all.clone(),
            in_row: vec![0; n],
            in_column: vec![0; n],
            of_rows: vec![vec![0.0; n]; samples.len()],
            of_columns: vec![vec![0.0; n]; samples.len()],
            order: Vec::with_capacity(n),
            operations: 0,
            growth: 1.0,
        };
        trial.measure(&all, &all);
        for _ in 0..n {
            let (row, column) = trial.choose();
            trial.eliminate(row, column);
        }
        trial
    }

    /// Counts and sizes of rows and columns that changed.
    fn measure(&mut self, rows: &[usize], columns: &[usize]) {
        for i in rows {
            self.in_row[*i] = filled(&self.columns, |j| self.entries[*i][j]).len();
        }
        for j in columns {
            self.in_column[*j] = filled(&self.rows, |i| self.entries[i][*j]).len();
        }
        for (k, sample) in self.samples.iter().enumerate() {
            for i in rows {
                let sizes = self.columns.iter().map(|j| sample[*i][*j].abs());
                self.of_rows[k][*i] = sizes.fold(0.0, f64::max);
            }
            for j in columns {
                let sizes = self.rows.iter().map(|i| sample[*i][*j].abs());
                self.of_columns[k][*j] = sizes.fold(0.0, f64::max);
            }
        }
    }

    /// The next pivot.
    fn choose(&self) -> (usize, usize) {
        let mut best = None;
        let mut fallback = (0.0, (self.rows[0], self.columns[0]));
        for i in &self.rows {
            for j in &self.columns {
                let entry = self.entries[*i][*j];
                let allowed = self.pivots == Pivots::Anywhere || i == j;
                if entry.is_zero() || !allowed {
                    continue;
                }
                let changed = (self.in_row[*i] - 1) * (self.in_column[*j] - 1);
                if best.is_some_and(|((known, _, _), _)| changed > known) {
                    continue;
                }
                let lot = draw(self.number, *i, *j);
                let cost = (changed + lot % (changed / 2 + 1), entry, lot);
                if best.is_some_and(|(known, _)| cost >= known) {
                    continue;
                }
                let ratios = self.samples.iter().enumerate().map(|(k, sample)| {
                    let neighbours = self.of_rows[k][*i].min(self.of_columns[k][*j]);
                    sample[*i][*j].abs() / neighbours
                });
                let ratio = ratios.fold(f64::INFINITY, f64::min);
                if ratio >= THRESHOLD {
                    best = Some((cost, (*i, *j)));
                } else if ratio > fallback.0 {
                    fallback = (ratio, (*i, *j));
                }
            }
        }
        best.map_or(fallback.1, |(_, place)| place)
    }

    /// Eliminates with a pivot and counts the operations, those of a solution included.
    fn eliminate(&mut self, row: usize, column: usize) {
        self.rows.retain(|i| *i != row);
        self.columns.retain(|j| *j != column);
        let below = filled(&self.rows, |i| self.entries[i][column]);
        let right = filled(&self.columns, |j| self.entries[row][j]);
        self.order.push((row, column));
        let pivot = self.entries[row][column];
        self.operations += 2 * (below.len() + right.len());
        if pivot != Entry::Unit {
            let division = usize::from(pivot == Entry::Expression);
            self.operations += division + below.len().min(right.len()) + 1;
        }
        for i in &below {
            for j in &right {
                let factors = [self.entries[*i][column], self.entries[row][*j]];
                let known = !factors.contains(&Entry::Expression) && pivot != Entry::Expression;
                let target = &mut self.entries[*i][*j];
                if !known {
                    self.operations += usize::from(!factors.contains(&Entry::Unit));
                    self.operations += usize::from(!target.is_zero());
                }
                *target = match *target {
                    _ if !known => Entry::Expression,
                    Entry::Zero if factors == [pivot; 2] && pivot == Entry::Unit => Entry::Unit,
                    old => old.max(Entry::Number),
                };
            }
        }
        for sample in &mut self.samples {
            for i in &below {
                let factor = sample[*i][column] / sample[row][column];
                for j in &right {
                    sample[*i][*j] -= factor * sample[row][*j];
                    self.growth = self.growth.max(sample[*i][*j].abs());
                }
            }
        }
        self.measure(&below, &right);
    }
}

fn filled(places: &[usize], entry: impl Fn(usize) -> Entry) -> Vec<usize> {
    let filled = |place: &usize| !entry(*place).is_zero();
    places.iter().copied().filter(filled).collect()
}

/// Decides between pivots of the same cost: the first one in the first trial, by lot in others.
fn draw(trial: usize, row: usize, column: usize) -> usize {
    if trial == 0 {
        return 0;
    }
    // A step of splitmix64 (Steele, Lea, Flood 2014).
    let mut x = (trial as u64) << 32 | (row as u64) << 16 | column as u64;
    for factor in [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb] {
        x = (x ^ (x >> 29)).wrapping_mul(factor);
    }
    ((x ^ (x >> 31)) >> 40) as usize
}

/// Rows and columns scaled, in turn, to a largest entry of about one.
fn equilibrated(sample: &Sample) -> Sample {
    let mut a = sample.clone();
    let n = a.len();
    let inverse = |largest: f64| if largest > 0.0 { 1.0 / largest } else { 1.0 };
    for _ in 0..4 {
        for row in &mut a {
            let factor = inverse(row.iter().fold(0.0, |m: f64, x| m.max(x.abs())).sqrt());
            for x in row {
                *x *= factor;
            }
        }
        for j in 0..n {
            let factor = inverse(a.iter().fold(0.0, |m: f64, row| m.max(row[j].abs())).sqrt());
            for row in &mut a {
                row[j] *= factor;
            }
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::{Entry, GROWTH, Pivots, Trial, best, draw, equilibrated};
    use crate::elimination::Sample;

    /// A matrix with few entries, many of them tiny.
    fn sample(seed: usize, n: usize) -> Sample {
        let entry = |i: usize, j: usize| {
            let lot = draw(seed, i + 1, j + 1) % 1000;
            match lot {
                _ if i == j || i + 1 == j => 1.0 + f64::from(u16::try_from(lot).unwrap()),
                0..80 => 1.0,
                80..160 => 1e-9,
                _ => 0.0,
            }
        };
        let row = |i: usize| (0..n).map(|j| entry(i, j)).collect();
        (0..n).map(row).collect()
    }

    fn entries(sample: &Sample) -> Vec<Vec<Entry>> {
        let entry = |x: &f64| match *x {
            0.0 => Entry::Zero,
            _ => Entry::Expression,
        };
        sample
            .iter()
            .map(|row| row.iter().map(entry).collect())
            .collect()
    }

    fn growth(entries: &[Vec<Entry>], sample: &Sample) -> (Vec<Trial>, f64) {
        let samples = [equilibrated(sample)];
        let trials: Vec<Trial> = (0..24)
            .map(|k| Trial::run(entries, &samples, k, Pivots::Anywhere))
            .collect();
        let order = best(entries, std::slice::from_ref(sample), Pivots::Anywhere);
        let of_order = trials.iter().find(|trial| trial.order == order);
        let growth = of_order.expect("one of the trials").growth;
        (trials, growth)
    }

    #[test]
    fn an_order_keeps_the_entries_small() {
        let mut cheaper_and_worse = 0;
        for seed in 1..200 {
            let sample = sample(seed, 20);
            let entries = entries(&sample);
            let (trials, growth) = growth(&entries, &sample);
            if trials.iter().all(|trial| trial.growth >= GROWTH) {
                continue; // nothing to choose from
            }
            assert!(growth < GROWTH, "seed {seed}: {growth:e}");
            let cheapest = trials.iter().min_by_key(|trial| trial.operations);
            cheaper_and_worse += usize::from(cheapest.is_some_and(|t| t.growth >= GROWTH));
        }
        assert!(cheaper_and_worse > 0, "the test tries nothing");
    }
    /// A pivot is large enough against its row or its column, in all samples.
    #[test]
    fn small_entries_are_no_pivots() {
        let entries = [[Entry::Expression; 2]; 2].map(Vec::from);
        let first = |corners: &[f64]| {
            let sample = |corner: &f64| vec![vec![*corner, 1.0], vec![1.0, 1.0]];
            let samples: Vec<Sample> = corners.iter().map(sample).collect();
            Trial::run(&entries, &samples, 0, Pivots::Anywhere).order[0]
        };
        assert_eq!(first(&[0.06]), (0, 0));
        assert_ne!(first(&[0.04]), (0, 0));
        assert_ne!(first(&[1.0, 0.04]), (0, 0));
        assert_ne!(first(&[0.04, 1.0]), (0, 0));
    }
    /// Also where others are larger, or cheaper.
    #[test]
    fn pivots_stay_on_the_diagonal_if_they_must() {
        let mut elsewhere = 0;
        for seed in 1..50 {
            let sample = sample(seed, 12);
            let entries = entries(&sample);
            let off_diagonal = |pivots| {
                let order = best(&entries, std::slice::from_ref(&sample), pivots);
                order.iter().any(|(i, j)| i != j)
            };
            assert!(!off_diagonal(Pivots::OnTheDiagonal), "seed {seed}");
            elsewhere += usize::from(off_diagonal(Pivots::Anywhere));
        }
        assert!(elsewhere > 0, "the test tries nothing");
    }
    /// `1 - 1` and `1 + 1` are left after the first pivot.
    #[test]
    fn growth_is_what_elimination_leaves() {
        let entries = [[Entry::Expression; 2]; 2].map(Vec::from);
        for (corner, growth) in [(1.0, 1.0), (-1.0, 2.0)] {
            let sample = vec![vec![1.0, corner], vec![1.0, 1.0]];
            let trial = Trial::run(&entries, &[sample], 0, Pivots::Anywhere);
            assert_eq!(trial.growth, growth);
        }
    }
}
