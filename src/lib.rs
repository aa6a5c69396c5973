//! polhode
