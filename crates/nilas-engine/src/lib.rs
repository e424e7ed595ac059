//! The engines of Nilas: BMC and IC3CFA.
