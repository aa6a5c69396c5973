//! A fast hash map for small keys; iteration order is never used.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash map with multiplicative hashing.
pub(crate) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<Multiplicative>>;

/// Multiplies and rotates, one word at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Multiplicative(u64);

impl Multiplicative {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Multiplicative {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.mix(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }
}
