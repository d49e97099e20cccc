/** In production the defaults hold. */
export default {};
