/** The CHANGELOG at a release: what is under "Unreleased" becomes the section of the version. */

const HEADING = '## Unreleased\n';

/** Returns the CHANGELOG with the section of the version, dated, below an empty "Unreleased". Throws when nothing is under "Unreleased". */
export function withRelease(changelog, version, date) {
  const start = changelog.indexOf(HEADING);
  if (start < 0) throw new Error(`CHANGELOG.md has no section "${HEADING.trim()}".`);
  const news = sectionFrom(changelog, start + HEADING.length);
  if (news === '') throw new Error('CHANGELOG.md says nothing under "Unreleased".');
  const section = `## ${version} (${date.toISOString().slice(0, 10)})`;
  return changelog.replace(HEADING, `${HEADING}\n${section}\n`);
}

/** Returns the text of the section of a version. */
export function releaseNotes(changelog, version) {
  const start = changelog.indexOf(`## ${version} (`);
  return `# neta-gateway ${version}\n\n${sectionFrom(changelog, changelog.indexOf('\n', start))}\n`;
}

/** Returns the text from here to the next heading of a section. */
function sectionFrom(changelog, start) {
  const end = changelog.indexOf('\n## ', start);
  return changelog.slice(start, end < 0 ? undefined : end).trim();
}
