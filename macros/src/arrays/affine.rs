//! Lengths and indices: whole numbers, linear in the counts of a model and in the index.
//!
//! ```text
//! a + sum_k b_k n_k + c i
//! ```
//!
//! Linear expressions can be compared for all counts at once, so that `nodes[i + 1]` is known
//! to be an element of `[Node<S3sR3>; N + 1]` for every `i` of `[RodElement; N]` and every `N`.

use std::fmt::Write;

use syn::ext::IdentExt;
use syn::{BinOp, Expr, ExprLit, Lit, UnOp};

use crate::diag::nearest;

/// A linear expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Affine {
    pub(crate) constant: i64,
    /// Factors of the counts.
    pub(crate) counts: Vec<i64>,
    /// Factor of the index.
    pub(crate) index: i64,
}

/// The names that a length or an index may use.
pub(crate) struct Names<'a> {
    pub(crate) counts: &'a [String],
    /// Whole constants.
    pub(crate) constants: &'a dyn Fn(&str) -> Option<i64>,
    /// Whether there is an index `i`.
    pub(crate) index: bool,
}

const HELP: &str =
    "write whole numbers, counts such as `N`, and `i`, with `+`, `-` and products with a number";

impl Affine {
    pub(crate) fn number(constant: i64, counts: usize) -> Self {
        Self {
            constant,
            counts: vec![0; counts],
            index: 0,
        }
    }

    fn combine(&self, factor: i64, other: &Self) -> Option<Self> {
        let add = |a: i64, b: i64| a.checked_add(factor.checked_mul(b)?);
        let counts = self.counts.iter().zip(&other.counts);
        Some(Self {
            constant: add(self.constant, other.constant)?,
            counts: counts.map(|(a, b)| add(*a, *b)).collect::<Option<_>>()?,
            index: add(self.index, other.index)?,
        })
    }

    pub(crate) fn minus(&self, other: &Self) -> Option<Self> {
        self.combine(-1, other)
    }

    /// The quotient, if every factor has one.
    pub(crate) fn divided(&self, divisor: i64) -> Option<Self> {
        let quotient = |a: i64| (a % divisor == 0).then(|| a / divisor);
        Some(Self {
            constant: quotient(self.constant)?,
            counts: self
                .counts
                .iter()
                .map(|b| quotient(*b))
                .collect::<Option<_>>()?,
            index: quotient(self.index)?,
        })
    }

    /// Whether sums and products of lengths cannot overflow.
    fn is_moderate(&self) -> bool {
        let factors = self.counts.iter().chain([&self.constant, &self.index]);
        factors.into_iter().all(|factor| factor.abs() <= 1 << 30)
    }

    fn is_number(&self) -> bool {
        self.index == 0 && self.counts.iter().all(|b| *b == 0)
    }

    /// The number, if there is nothing else in it.
    pub(crate) fn value(&self) -> Option<i64> {
        self.is_number().then_some(self.constant)
    }

    /// The value for given counts and index.
    pub(crate) fn at(&self, counts: &[i64], index: i64) -> Option<i64> {
        let terms = self
            .counts
            .iter()
            .zip(counts)
            .map(|(b, n)| b.checked_mul(*n));
        let mut sum = self.constant.checked_add(self.index.checked_mul(index)?)?;
        for term in terms {
            sum = sum.checked_add(term?)?;
        }
        Some(sum)
    }

    /// With `i` replaced by another expression.
    pub(crate) fn with_index(&self, index: &Self) -> Option<Self> {
        let rest = Self {
            index: 0,
            ..self.clone()
        };
        rest.combine(self.index, index)
    }

    /// Whether it is negative for all counts that are at least `least`.
    pub(crate) fn always_negative(&self, least: &[i64]) -> bool {
        self.index == 0
            && self.counts.iter().all(|b| *b <= 0)
            && self.at(least, 0).is_some_and(|value| value < 0)
    }

    /// Reads an expression.
    pub(crate) fn read(expr: &Expr, names: &Names<'_>) -> syn::Result<Self> {
        let fail = |text: &str| {
            Err(syn::Error::new_spanned(
                expr,
                format!("{text}\n  help: {HELP}"),
            ))
        };
        let checked = |value: Option<Self>| {
            let value = value.filter(Self::is_moderate);
            value.map_or_else(|| fail("this number is too large"), Ok)
        };
        let number = |n: i64| Self::number(n, names.counts.len());
        match expr {
            Expr::Lit(ExprLit {
                lit: Lit::Int(n), ..
            }) => checked(n.base10_parse().ok().map(number)),
            Expr::Paren(inner) => Self::read(&inner.expr, names),
            Expr::Group(inner) => Self::read(&inner.expr, names),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                checked(number(0).minus(&Self::read(&unary.expr, names)?))
            }
            Expr::Binary(binary) => {
                let a = Self::read(&binary.left, names)?;
                let b = Self::read(&binary.right, names)?;
                match (&binary.op, a.value(), b.value()) {
                    (BinOp::Add(_), ..) => checked(a.combine(1, &b)),
                    (BinOp::Sub(_), ..) => checked(a.minus(&b)),
                    (BinOp::Mul(_), Some(factor), _) => checked(number(0).combine(factor, &b)),
                    (BinOp::Mul(_), _, Some(factor)) => checked(number(0).combine(factor, &a)),
                    _ => fail(
                        "a length or an index is a sum of counts and numbers, without products of counts",
                    ),
                }
            }
            Expr::Path(path) => match path.path.get_ident() {
                Some(ident) => Self::named(ident, names),
                None => fail("the value is needed when the macro runs"),
            },
            _ => fail("this is not a whole number"),
        }
    }

    fn named(ident: &syn::Ident, names: &Names<'_>) -> syn::Result<Self> {
        let name = ident.unraw().to_string();
        let mut value = Self::number(0, names.counts.len());
        if let Some(place) = names.counts.iter().position(|known| *known == name) {
            value.counts[place] = 1;
            return Ok(value);
        }
        if name == "i" && names.index {
            value.index = 1;
            return Ok(value);
        }
        if let Some(constant) = (names.constants)(&name) {
            value.constant = constant;
            return Ok(value);
        }
        let text = if name == "i" {
            "there is no index `i` here: the field is not an array\n  help: write a number or a count, or make the field an array".to_owned()
        } else {
            let near = nearest(&name, names.counts.iter().map(String::as_str))
                .map_or_else(String::new, |near| format!("did you mean `{near}`? "));
            format!(
                "unknown count `{name}`\n  help: {near}a count is a `const {name}: usize` of the struct, a field `#[count(default = ..)] {name}: usize`, or a whole constant"
            )
        };
        Err(syn::Error::new(ident.span(), text))
    }

    /// As Rust over the array `n` of counts and the index `k`, all `i64`.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}_i64", self.constant);
        for (place, factor) in self.counts.iter().enumerate().filter(|(_, b)| **b != 0) {
            let _ = write!(text, " + {factor} * n[{place}]");
        }
        if self.index != 0 {
            let _ = write!(text, " + {} * k", self.index);
        }
        text
    }

    /// In words, with the names of the counts.
    pub(crate) fn words(&self, counts: &[String]) -> String {
        let mut text = String::new();
        let named = counts.iter().map(String::as_str).zip(self.counts.iter());
        for (name, factor) in named.chain([("i", &self.index)]) {
            let sign = match (factor.signum(), text.is_empty()) {
                (0, _) => continue,
                (1, true) => "",
                (1, false) => " + ",
                (_, true) => "-",
                (_, false) => " - ",
            };
            text += sign;
            if factor.abs() != 1 {
                let _ = write!(text, "{} ", factor.abs());
            }
            text += name;
        }
        let constant = self.constant;
        let _ = match (constant.signum(), text.is_empty()) {
            (_, true) => write!(text, "{constant}"),
            (0, false) => Ok(()),
            (1, false) => write!(text, " + {constant}"),
            (_, false) => write!(text, " - {}", constant.unsigned_abs()),
        };
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Affine, String> {
        let names = Names {
            counts: &["N".to_owned(), "m".to_owned()],
            constants: &|name| (name == "TWO").then_some(2),
            index: true,
        };
        let expr = syn::parse_str(text).unwrap();
        Affine::read(&expr, &names).map_err(|error| error.to_string())
    }

    #[test]
    fn linear_expressions() {
        let a = read("TWO * (N - 1) + i - 3 * m").unwrap();
        assert_eq!((a.constant, &a.counts[..], a.index), (-2, &[2, -3][..], 1));
        assert_eq!(a.at(&[5, 1], 7), Some(12));
        assert_eq!(
            a.words(&["N".to_owned(), "m".to_owned()]),
            "2 N - 3 m + i - 2"
        );
        assert_eq!(read("7").unwrap().value(), Some(7));
        let half = read("2 * N - 4 - 6 * m").unwrap().divided(-2).unwrap();
        assert_eq!((half.constant, &half.counts[..]), (2, &[-1, 3][..]));
        assert_eq!(read("2 * N + 1").unwrap().divided(2), None);
        for wrong in [
            "N * m",
            "N / 2",
            "1.5",
            "M",
            "i * i",
            "9223372036854775807",
            "100000 * 100000 * N",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    /// `nodes[i + 2]` at the last `i` of `N` elements, in `N + 1` nodes.
    #[test]
    fn comparisons_for_all_counts() {
        let last = read("N - 1").unwrap();
        let index = read("i + 2").unwrap().with_index(&last).unwrap();
        let room = read("N").unwrap().minus(&index).unwrap();
        assert!(room.always_negative(&[1, 0]));
        let room = read("N + 1").unwrap().minus(&index).unwrap();
        assert!(!room.always_negative(&[1, 0]));
    }
}
