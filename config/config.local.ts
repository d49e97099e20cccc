/** On a developer's machine: everything is logged. */
export default { midwayLogger: { default: { level: 'info' } } };
