/** Development: the framework logs from level info. */
export default { midwayLogger: { default: { level: 'info' } } };
