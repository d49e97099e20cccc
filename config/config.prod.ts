/** Production: the defaults. */
export default {};
