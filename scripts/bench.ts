/** `npm run bench`; what it measures is in scripts/bench/. */
import './bench/main.ts'
