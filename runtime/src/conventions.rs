#![doc = include_str!("../CONVENTIONS.md")]
