//! Expressions of the attributes: arithmetic on numbers, vectors and rotations.

mod size;

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{BinOp, Block, Expr, ExprLit, Lit, Member, Stmt, UnOp};

use crate::diag::nearest;
use crate::formula::{BodyQuantity, Elementary, Formula, JointQuantity, Leaf, Operation};
use crate::joints::{Held, names_with};
use crate::model::{BodyId, JointId, JointKind};

/// A number, a rotation, or a list: a vector or a matrix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(Formula),
    /// Unit quaternion (w, x, y, z).
    Rotation([Formula; 4]),
    List(Vec<Value>),
}

/// The names that an expression may use.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) constants: HashMap<String, Value>,
    pub(crate) parameters: Vec<String>,
    pub(crate) bodies: Vec<String>,
    /// How many modal coordinates each body has, if it is not a body in space.
    pub(crate) modes: Vec<Option<usize>>,
    pub(crate) joints: Vec<String>,
    /// Their kinds, of the joints that were read already.
    pub(crate) joint_kinds: Vec<JointKind>,
    /// Constants outside of the model that were used.
    pub(crate) outside: Vec<TokenStream>,
    /// Parameters that were used.
    pub(crate) used: Vec<bool>,
    /// Whether an expression has a name that is not known.
    pub(crate) unknown: bool,
    /// Names whose declaration is an error: constants, and fields that mean something else.
    pub(crate) taken: Vec<String>,
    /// Whether angles of rotations may be known only when the model is constructed.
    pub(crate) late_rotations: bool,
    /// In a model with arrays: the bodies and joints that formulas read. Their leaves are places in
    /// this list.
    pub(crate) references: Option<Vec<Reference>>,
}

/// A body or a joint that a formula reads, `nodes[i + 1].position`, as it is written.
#[derive(Clone)]
pub(crate) struct Reference {
    pub(crate) name: syn::Ident,
    pub(crate) index: Option<Expr>,
    pub(crate) joint: bool,
}

impl Value {
    fn known(x: f64) -> Self {
        Self::Number(Formula::Number(x))
    }

    /// A vector of three formulas.
    fn vector3(components: [Formula; 3]) -> Self {
        Self::List(components.map(Self::Number).to_vec())
    }

    fn map2(&self, other: &Self, f: &dyn Fn(&Formula, &Formula) -> Formula) -> Option<Self> {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => Some(Self::Number(f(a, b))),
            (Self::List(a), Self::List(b)) if a.len() == b.len() => a
                .iter()
                .zip(b)
                .map(|(a, b)| a.map2(b, f))
                .collect::<Option<_>>()
                .map(Self::List),
            _ => None,
        }
    }

    fn map(&self, f: &dyn Fn(&Formula) -> Formula) -> Option<Self> {
        match self {
            Self::Number(x) => Some(Self::Number(f(x))),
            Self::List(items) => items
                .iter()
                .map(|item| item.map(f))
                .collect::<Option<_>>()
                .map(Self::List),
            Self::Rotation(_) => None,
        }
    }

    /// The formula, if it is one number.
    pub(crate) fn number(&self) -> Option<&Formula> {
        match self {
            Self::Number(x) => Some(x),
            _ => None,
        }
    }

    /// The components of a flat list.
    pub(crate) fn vector(&self) -> Option<Vec<Formula>> {
        match self {
            Self::List(items) => items.iter().map(|item| item.number().cloned()).collect(),
            _ => None,
        }
    }

    fn components(&self) -> Option<[Formula; 3]> {
        self.vector()?.try_into().ok()
    }
}

const FUNCTIONS: &str = "sqrt, sin, cos, tan, asin, acos, atan, atan2, exp, ln, tanh, abs, powi, \
    dot, cross, norm, rx, ry, rz, along";

impl Scope {
    /// Evaluates an expression, unless its value is too large.
    pub(crate) fn evaluate(&mut self, expr: &Expr) -> syn::Result<Value> {
        let value = self.evaluated(expr)?;
        let known = matches!(
            expr,
            Expr::Lit(_) | Expr::Path(_) | Expr::Paren(_) | Expr::Group(_)
        );
        match size::too_large(&value) {
            Some(text) if !known => Err(syn::Error::new_spanned(expr, text)),
            _ => Ok(value),
        }
    }

    fn evaluated(&mut self, expr: &Expr) -> syn::Result<Value> {
        let fail = |text: &str| Err(syn::Error::new_spanned(expr, text));
        match expr {
            Expr::Lit(ExprLit {
                lit: Lit::Float(x), ..
            }) => x.base10_parse().map(Value::known),
            Expr::Lit(ExprLit {
                lit: Lit::Int(x), ..
            }) => x.base10_parse().map(Value::known),
            Expr::Paren(inner) => self.evaluate(&inner.expr),
            Expr::Group(inner) => self.evaluate(&inner.expr),
            Expr::Array(array) => array
                .elems
                .iter()
                .map(|item| self.evaluate(item))
                .collect::<syn::Result<_>>()
                .map(Value::List),
            Expr::Repeat(repeat) => {
                let item = self.evaluate(&repeat.expr)?;
                let len = self.evaluate(&repeat.len)?;
                match len.number().and_then(Formula::value).and_then(whole) {
                    Some(n) => match size::too_many(&item, n) {
                        Some(text) => fail(&text),
                        None => Ok(Value::List(vec![item; n])),
                    },
                    None => fail(
                        "the length of a list must be a small whole number\n  help: write `[0.0; 3]`",
                    ),
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                match self.evaluate(&unary.expr)?.map(&Formula::neg) {
                    Some(value) => Ok(value),
                    None => {
                        fail("a rotation has no sign\n  help: turn by the negative angle instead")
                    }
                }
            }
            Expr::Binary(binary) => {
                if let Some(text) = not_arithmetic(&binary.op) {
                    return Err(syn::Error::new_spanned(binary.op, text));
                }
                let a = self.evaluate(&binary.left)?;
                let b = self.evaluate(&binary.right)?;
                self::binary(&binary.op, &a, &b).map_or_else(
                    || fail("these two do not fit together\n  help: add numbers to numbers and vectors to vectors of the same length; multiply with a number, or by a rotation from the left"),
                    Ok,
                )
            }
            Expr::Path(path) => self.name(path),
            Expr::Field(field) => self.field(field),
            Expr::Index(index) => self.component(index),
            Expr::Call(call) => self.function(call),
            Expr::If(choice) => self.choice(choice),
            Expr::MethodCall(call) => Err(syn::Error::new(
                call.method.span(),
                format!(
                    "a model has no methods\n  help: write a function, `{}(..)`; known are {FUNCTIONS}",
                    call.method
                ),
            )),
            _ => fail(
                "this is not an expression of a model\n  help: write a number, a list like [x, y, z], or arithmetic on them",
            ),
        }
    }

    fn name(&mut self, path: &syn::ExprPath) -> syn::Result<Value> {
        let Some(ident) = path.path.get_ident() else {
            let tokens = path.to_token_stream();
            let text = tokens.to_string();
            let known = self
                .outside
                .iter()
                .position(|known| known.to_string() == text);
            let place = known.unwrap_or_else(|| {
                self.outside.push(tokens);
                self.outside.len() - 1
            });
            return Ok(Value::Number(Formula::Leaf(Leaf::Outside(place))));
        };
        let name = ident.unraw().to_string();
        match name.as_str() {
            "PI" => return Ok(Value::known(std::f64::consts::PI)),
            "t" => return Ok(Value::Number(Formula::Leaf(Leaf::Time))),
            "x" => return Ok(Value::vector3([1.0, 0.0, 0.0].map(Formula::Number))),
            "y" => return Ok(Value::vector3([0.0, 1.0, 0.0].map(Formula::Number))),
            "z" => return Ok(Value::vector3([0.0, 0.0, 1.0].map(Formula::Number))),
            _ => {}
        }
        if let Some(value) = self.constants.get(&name) {
            return Ok(value.clone());
        }
        if let Some(place) = self.parameters.iter().position(|known| *known == name) {
            self.used[place] = true;
            return Ok(Value::Number(Formula::Leaf(Leaf::Parameter(place))));
        }
        if self.bodies.contains(&name) || self.joints.contains(&name) {
            let text = format!(
                "`{name}` is not a number\n  help: write a quantity of it, such as `{name}.position` of a body or `{name}.angle` of a joint"
            );
            return Err(syn::Error::new(ident.span(), text));
        }
        self.unknown = true;
        let constants = self.constants.keys().map(String::as_str);
        let mut names: Vec<&str> = constants
            .chain(self.parameters.iter().map(String::as_str))
            .collect();
        names.sort_unstable();
        let near = nearest(&name, names)
            .map_or_else(String::new, |near| format!("did you mean `{near}`? Or "));
        let text = format!(
            "unknown name `{name}`\n  help: {near}declare it with `consts({name} = ..)` in the attribute, as a field `#[param(default = ..)] {name}: f64`, or write `self::{name}` for a constant of your program"
        );
        Err(syn::Error::new(ident.span(), text))
    }

    /// `body.position`, `joint.angle`, `vector.x`.
    fn field(&mut self, field: &syn::ExprField) -> syn::Result<Value> {
        let Member::Named(member) = &field.member else {
            return Err(syn::Error::new_spanned(
                field,
                "expected a name after the dot\n  help: a vector has `.x`, `.y` and `.z`",
            ));
        };
        let word = member.to_string();
        let (base, index) = match &*field.base {
            Expr::Index(indexed) => (&*indexed.expr, Some(&*indexed.index)),
            base => (base, None),
        };
        if let Expr::Path(base) = base
            && let Some(ident) = base.path.get_ident()
        {
            let owner = ident.unraw().to_string();
            if let Some(body) = self.bodies.iter().position(|known| *known == owner) {
                let modes = self.modes.get(body).copied().flatten();
                let body = self.refer(ident, index, false, body)?;
                return body_quantity(BodyId(body), &owner, modes, member);
            }
            if let Some(joint) = self.joints.iter().position(|known| *known == owner) {
                let kind = self.joint_kinds.get(joint).cloned();
                let joint = self.refer(ident, index, true, joint)?;
                return joint_quantity(JointId(joint), (&owner, kind.as_ref()), member);
            }
        }
        let value = self.evaluate(&field.base)?;
        let axis = ["x", "y", "z"].iter().position(|axis| *axis == word);
        match (axis, value) {
            (Some(axis), Value::List(items)) if axis < items.len() => Ok(items[axis].clone()),
            _ => Err(syn::Error::new(
                member.span(),
                format!("no component `{word}`\n  help: a vector has `.x`, `.y` and `.z`"),
            )),
        }
    }

    /// `list[2]`, counted from zero.
    fn component(&mut self, index: &syn::ExprIndex) -> syn::Result<Value> {
        let Value::List(items) = self.evaluate(&index.expr)? else {
            return Err(syn::Error::new_spanned(
                &index.expr,
                "this is not a list\n  help: only vectors and lists have components, such as `body.position[0]`",
            ));
        };
        let place = self.evaluate(&index.index)?;
        let place = place.number().and_then(Formula::value).and_then(whole);
        place.and_then(|i| items.get(i).cloned()).ok_or_else(|| {
            let last = items.len().saturating_sub(1);
            let text = format!(
                "no such component\n  help: there are {}, counted from 0: write a number from 0 to {last}",
                items.len()
            );
            syn::Error::new_spanned(&index.index, text)
        })
    }

    /// What the leaf of a body or a joint holds: its place in the model, or in the references.
    fn refer(
        &mut self,
        name: &syn::Ident,
        index: Option<&Expr>,
        joint: bool,
        place: usize,
    ) -> syn::Result<usize> {
        match (&mut self.references, index) {
            (Some(references), index) => {
                references.push(Reference {
                    name: name.unraw(),
                    index: index.cloned(),
                    joint,
                });
                Ok(references.len() - 1)
            }
            (None, None) => Ok(place),
            (None, Some(index)) => Err(syn::Error::new_spanned(
                index,
                format!("`{name}` is not an array\n  help: leave out the index"),
            )),
        }
    }

    /// `if a < b { .. } else { .. }`.
    fn choice(&mut self, choice: &syn::ExprIf) -> syn::Result<Value> {
        const HELP: &str = "write `if a < b { .. } else { .. }`";
        let fail = |tokens: &dyn ToTokens, text: &str| {
            Err(syn::Error::new_spanned(
                tokens.to_token_stream(),
                format!("{text}\n  help: {HELP}"),
            ))
        };
        let Expr::Binary(condition) = &*choice.cond else {
            return fail(&choice.cond, "the condition must compare two numbers");
        };
        let Some((_, otherwise)) = &choice.else_branch else {
            return fail(choice, "this `if` has no `else`");
        };
        let compares = matches!(
            condition.op,
            BinOp::Lt(_) | BinOp::Gt(_) | BinOp::Le(_) | BinOp::Ge(_)
        );
        if let (false, Some(text)) = (compares, not_arithmetic(&condition.op)) {
            return Err(syn::Error::new_spanned(condition.op, text));
        }
        let [left, right] = [&condition.left, &condition.right].map(|side| self.evaluate(side));
        let (Value::Number(left), Value::Number(right)) = (left?, right?) else {
            return fail(condition, "the condition must compare two numbers");
        };
        let below = self.block(&choice.then_branch)?;
        let otherwise = match &**otherwise {
            Expr::Block(block) => self.block(&block.block)?,
            other => self.evaluate(other)?,
        };
        let select = |left: &Formula, right: &Formula, x: &Value, y: &Value| {
            x.map2(y, &|x, y| {
                Formula::select([left.clone(), right.clone(), x.clone(), y.clone()])
            })
        };
        // `a <= b` is not `b < a`.
        let value = match condition.op {
            BinOp::Lt(_) => select(&left, &right, &below, &otherwise),
            BinOp::Gt(_) => select(&right, &left, &below, &otherwise),
            BinOp::Le(_) => select(&right, &left, &otherwise, &below),
            BinOp::Ge(_) => select(&left, &right, &otherwise, &below),
            _ => return fail(condition, "the condition must compare two numbers"),
        };
        value.map_or_else(
            || fail(choice, "the two branches have different shapes"),
            Ok,
        )
    }

    fn block(&mut self, block: &Block) -> syn::Result<Value> {
        match &block.stmts[..] {
            [Stmt::Expr(expr, None)] => self.evaluate(expr),
            _ => Err(syn::Error::new_spanned(
                block,
                "a branch is one expression\n  help: write `if a < b { x } else { y }`, without a semicolon",
            )),
        }
    }

    fn function(&mut self, call: &syn::ExprCall) -> syn::Result<Value> {
        if let Expr::Path(path) = &*call.func
            && path.path.get_ident().is_none()
        {
            let text = format!(
                "functions of your program cannot be used: everything is differentiated when the macro runs\n  help: write the formula itself, with {FUNCTIONS}; constants of your program can be used, `self::NAME`"
            );
            return Err(syn::Error::new_spanned(&call.func, text));
        }
        let name = match &*call.func {
            Expr::Path(path) => path
                .path
                .get_ident()
                .map(ToString::to_string)
                .unwrap_or_default(),
            _ => String::new(),
        };
        let arguments = call
            .args
            .iter()
            .map(|argument| self.evaluate(argument))
            .collect::<syn::Result<Vec<_>>>()?;
        // Rotations are numbers when the macro runs: frames of joints depend on them.
        if !self.late_rotations
            && let ("rx" | "ry" | "rz", [Value::Number(angle)]) = (name.as_str(), &arguments[..])
            && angle.value().is_none()
        {
            let text = "the angle of a rotation is needed when the macro runs\n  help: write a number, or declare it with `consts(NAME = ..)` in the attribute";
            return Err(syn::Error::new_spanned(&call.args, text));
        }
        apply(&name, &arguments).ok_or_else(|| {
            let known = FUNCTIONS.split(", ").any(|known| known == name);
            let text = if known {
                format!("`{name}` does not take these arguments\n  help: angles and numbers are numbers, vectors are lists like [x, y, z]")
            } else {
                let near = nearest(&name, FUNCTIONS.split(", "));
                let help = near.map_or_else(|| format!("known are {FUNCTIONS}"), |near| format!("did you mean `{near}`?"));
                format!("unknown function `{name}`\n  help: {help}")
            };
            syn::Error::new_spanned(&call.func, text)
        })
    }
}

/// Why an operator has no place in a formula, and what to write.
fn not_arithmetic(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) => return None,
        BinOp::BitXor(_) => "`^` is not a power\n  help: write `powi(x, 2)`, or `exp(a * ln(x))`",
        BinOp::And(_) | BinOp::Or(_) => {
            "conditions cannot be combined\n  help: write one `if` in the other: `if a < b { if c < d { x } else { y } } else { y }`"
        }
        BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
            "a comparison is not a number\n  help: write `if a < b { x } else { y }`"
        }
        BinOp::Eq(_) | BinOp::Ne(_) => {
            "numbers cannot be compared for equality\n  help: write `if a < b { x } else { y }`"
        }
        _ => "unknown operation\n  help: write `+`, `-`, `*` or `/`",
    })
}

/// A whole number of a small size.
fn whole(x: f64) -> Option<usize> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked"
    )]
    let whole = ((0.0..=1e3).contains(&x) && x.fract() == 0.0).then_some(x as usize);
    whole
}

/// A quantity of a body, or of the modal coordinates that it has.
fn body_quantity(
    body: BodyId,
    owner: &str,
    modes: Option<usize>,
    member: &syn::Ident,
) -> syn::Result<Value> {
    let quantity = match member.to_string().as_str() {
        "position" => BodyQuantity::Position,
        "velocity" => BodyQuantity::Velocity,
        "angular_velocity" if modes.is_none() => BodyQuantity::AngularVelocity,
        word => {
            let help = if modes.is_some() {
                "modal coordinates have `position` and `velocity`, lists of one number for each"
            } else {
                "a body has `position`, `velocity` (of its frame, in inertial axes) and `angular_velocity` (in body axes)"
            };
            return Err(syn::Error::new(
                member.span(),
                format!("`{owner}` has no quantity `{word}`\n  help: {help}"),
            ));
        }
    };
    let component = |axis| Value::Number(Formula::Leaf(Leaf::Body(body, quantity, axis)));
    Ok(Value::List(
        (0..modes.unwrap_or(3)).map(component).collect(),
    ))
}

/// A coordinate of a joint, if its kind has it.
fn joint_quantity(
    joint: JointId,
    (owner, kind): (&str, Option<&JointKind>),
    member: &syn::Ident,
) -> syn::Result<Value> {
    let quantity = match member.to_string().as_str() {
        "angle" => JointQuantity::Angle,
        "angle_rate" => JointQuantity::AngleRate,
        "displacement" => JointQuantity::Displacement,
        "displacement_rate" => JointQuantity::DisplacementRate,
        word => {
            return Err(syn::Error::new(
                member.span(),
                format!(
                    "a joint has no quantity `{word}`\n  help: write `angle`, `angle_rate`, `displacement` or `displacement_rate`"
                ),
            ));
        }
    };
    let (has, coordinate, kinds) = match quantity {
        JointQuantity::Angle | JointQuantity::AngleRate => (
            kind.is_none_or(JointKind::has_angle),
            "angle",
            names_with(Held::has_angle),
        ),
        JointQuantity::Displacement | JointQuantity::DisplacementRate => (
            kind.is_none_or(JointKind::has_displacement),
            "displacement",
            names_with(Held::has_displacement),
        ),
    };
    if !has {
        let kind = kind.map_or("", JointKind::name);
        let text = format!(
            "joint `{owner}` is {kind} and has no {coordinate}\n  help: {kinds} joints have one; read `position` or `velocity` of a body instead"
        );
        return Err(syn::Error::new(member.span(), text));
    }
    Ok(Value::Number(Formula::Leaf(Leaf::Joint(joint, quantity))))
}

fn binary(op: &BinOp, a: &Value, b: &Value) -> Option<Value> {
    match (op, a, b) {
        (BinOp::Mul(_), Value::Rotation(p), Value::Rotation(q)) => {
            Some(Value::Rotation(compose(p, q)))
        }
        (BinOp::Mul(_), Value::Rotation(p), Value::List(_)) => {
            Some(Value::vector3(rotate(p, &b.components()?)))
        }
        (BinOp::Add(_), ..) => a.map2(b, &Formula::add),
        (BinOp::Sub(_), ..) => a.map2(b, &Formula::sub),
        (BinOp::Mul(_), Value::Number(x), _) => b.map(&|y| x.mul(y)),
        (BinOp::Mul(_), _, Value::Number(y)) => a.map(&|x| x.mul(y)),
        (BinOp::Div(_), _, Value::Number(y)) => a.map(&|x| x.div(y)),
        _ => None,
    }
}

/// A function of the language.
fn apply(name: &str, arguments: &[Value]) -> Option<Value> {
    let known = |value: &Value| value.number()?.value();
    if let Some((_, function)) = Elementary::NAMED.iter().find(|(known, _)| *known == name) {
        let [x] = arguments else { return None };
        return Some(Value::Number(Formula::call(*function, x.number()?)));
    }
    match (name, arguments) {
        ("atan2", [y, x]) => Some(Value::Number(Formula::binary(
            Operation::Atan2,
            y.number()?,
            x.number()?,
        ))),
        ("powi", [base, exponent]) => {
            let (base, n) = (base.number()?, known(exponent)?);
            #[expect(clippy::cast_possible_truncation, reason = "checked")]
            let n = (n.fract() == 0.0 && n.abs() <= 32.0).then_some(n as i32)?;
            let mut power = Formula::Number(1.0);
            for _ in 0..n.abs() {
                power = power.mul(base);
            }
            if n < 0 {
                power = Formula::Number(1.0).div(&power);
            }
            Some(Value::Number(power))
        }
        ("dot", [a, b]) => {
            let (a, b) = (a.vector()?, b.vector()?);
            (a.len() == b.len()).then(|| Value::Number(dot(&a, &b)))
        }
        ("norm", [a]) => {
            let a = a.vector()?;
            Some(Value::Number(Formula::call(Elementary::Sqrt, &dot(&a, &a))))
        }
        ("cross", [a, b]) => {
            let (a, b) = (a.components()?, b.components()?);
            Some(Value::vector3(cross(&a, &b)))
        }
        ("rx" | "ry" | "rz", [angle]) => {
            let half = Formula::Number(0.5).mul(angle.number()?);
            let mut rotation = [1.0, 0.0, 0.0, 0.0].map(Formula::Number);
            let axis = ["rx", "ry", "rz"].iter().position(|axis| *axis == name)?;
            rotation[0] = Formula::call(Elementary::Cos, &half);
            rotation[1 + axis] = Formula::call(Elementary::Sin, &half);
            Some(Value::Rotation(rotation))
        }
        ("along", [direction]) => Some(Value::Rotation(along(&direction.components()?))),
        _ => None,
    }
}

fn cross(a: &[Formula; 3], b: &[Formula; 3]) -> [Formula; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i].mul(&b[j]).sub(&a[j].mul(&b[i])))
}

fn dot(a: &[Formula], b: &[Formula]) -> Formula {
    let products = a.iter().zip(b).map(|(a, b)| a.mul(b));
    products.fold(Formula::Number(0.0), |sum, product| sum.add(&product))
}

/// Product of quaternions.
fn compose([a, b, c, d]: &[Formula; 4], [w, x, y, z]: &[Formula; 4]) -> [Formula; 4] {
    let sum = |terms: [(&Formula, &Formula, f64); 4]| {
        let [first, rest @ ..] = terms.map(|(p, q, sign)| (p.mul(q), sign));
        rest.iter().fold(first.0, |sum, (term, sign)| {
            if *sign < 0.0 {
                sum.sub(term)
            } else {
                sum.add(term)
            }
        })
    };
    [
        sum([(a, w, 1.0), (b, x, -1.0), (c, y, -1.0), (d, z, -1.0)]),
        sum([(a, x, 1.0), (b, w, 1.0), (c, z, 1.0), (d, y, -1.0)]),
        sum([(a, y, 1.0), (b, z, -1.0), (c, w, 1.0), (d, x, 1.0)]),
        sum([(a, z, 1.0), (b, y, 1.0), (c, x, -1.0), (d, w, 1.0)]),
    ]
}

/// The numbers of a quaternion, if they are known.
pub(crate) fn known_rotation(rotation: &[Formula; 4]) -> Option<[f64; 4]> {
    let known: Vec<f64> = rotation.iter().filter_map(Formula::value).collect();
    known.try_into().ok()
}

/// `R v`; with `q = (w, u)` that is `v + 2 w (u x v) + 2 u x (u x v)`.
pub(crate) fn rotate(rotation: &[Formula; 4], v: &[Formula; 3]) -> [Formula; 3] {
    if let Some(known) = known_rotation(rotation) {
        return crate::formula::rotate3(&crate::model::rotation_matrix(known), v);
    }
    let [w, x, y, z] = rotation;
    let u = [x.clone(), y.clone(), z.clone()];
    let two = Formula::Number(2.0);
    let turn = cross(&u, v);
    let twice = cross(&u, &turn);
    core::array::from_fn(|i| {
        let change = w.mul(&turn[i]).add(&twice[i]);
        v[i].add(&two.mul(&change))
    })
}

/// The short way from the z axis to a direction: `(1 + t_3, e_3 x t)`, normalized, with the unit
/// vector `t`; half a turn about x to the opposite direction.
fn along(direction: &[Formula; 3]) -> [Formula; 4] {
    let length = Formula::call(Elementary::Sqrt, &dot(direction, direction));
    let [x, y, z] = [0, 1, 2].map(|i: usize| direction[i].div(&length));
    let scalar = Formula::Number(1.0).add(&z);
    let double = [scalar.clone(), y.neg(), x, Formula::Number(0.0)];
    let norm = double.iter().map(|part| part.mul(part));
    let norm = norm.fold(Formula::Number(0.0), |sum, part| sum.add(&part));
    let norm = Formula::call(Elementary::Sqrt, &norm);
    core::array::from_fn(|i| {
        let opposite = Formula::Number(if i == 1 { 1.0 } else { 0.0 });
        Formula::select([
            scalar.clone(),
            Formula::Number(1e-12),
            opposite,
            double[i].div(&norm),
        ])
    })
}

#[cfg(test)]
mod tests;
