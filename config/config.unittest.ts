/** Tests: the framework logs nothing. */
export default { midwayLogger: { default: { transports: { console: false, file: false, error: false } } } };
