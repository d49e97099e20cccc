/** In tests nothing is logged to files. */
export default { midwayLogger: { default: { transports: { console: false, file: false, error: false } } } };
