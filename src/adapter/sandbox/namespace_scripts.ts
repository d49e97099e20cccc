/** Two POSIX sh scripts: they build a sandbox with the programs of util-linux and start a command in it. */

/**
 * Runs as the first process of new user, PID, mount, network, IPC and UTS namespaces, as root of that user namespace. It builds the new root and
 * then becomes the second script.
 *
 * Each program takes a millisecond, so few programs create the mount points, and one `mount` reads all mounts from a table.
 *
 * Arguments: 1 an existing directory to build below, 2 the table of mounts, 3-5 directories, files and symlinks to create, each a list of words,
 * 6 mounts to make read-only, one a line, 7 the workspace and further directories to create, one a line, 8 the directory to start in, 9 user id, then group id, the second script, and its arguments.
 */
export const BUILD_SCRIPT = `
set -ef
base=$1 table=$2 directories=$3 files=$4 links=$5 readonly=$6 places=$7 cwd=$8 user=$9
shift 9
group=$1 start=$2 path=$PATH
shift 2
PATH=\${PATH:+$PATH:}/usr/sbin:/usr/bin:/sbin:/bin
mask=$(umask)
umask 022

# The network namespace is empty but for the loopback device, which programs need to talk to themselves. Not every machine has these programs.
{
  hostname workspace
  ip link set lo up || perl -e 'socket(S, 2, 2, 0); ioctl(S, 0x8914, pack("a16 s x22", "lo", 0x41))'
} >/dev/null 2>&1 &

mount -t tmpfs -o mode=755 tmpfs "$base"
cd "$base"
mkdir -p $directories
IFS='
'
for place in $places; do mkdir -p "root$place"; done
unset IFS
cd root
for file in $files; do : >"$file"; done
cp -P --parents $links .
# /tmp is mounted over this file.
printf '%s\\n' "$table" >tmp/table
mount -a -T "$base/root/tmp/table" >&2

IFS='
'
for mounted in $readonly; do mount -o remount,bind,ro "$mounted"; done
unset IFS
wait

# Only after this are the old root and all its mounts out of reach.
cd "$base/root"
pivot_root . .
umount -l .
cd "$cwd"
umask "$mask"
exec unshare --user --map-user="$user" --map-group="$group" --keep-caps \\
  setsid setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all \\
  /bin/sh -c "$start" sh "$path" "$@" 9>&2 2>/dev/null
`;

/**
 * Stays the first process while the command runs: it adopts orphans, and when it ends the kernel kills all other processes. It holds no capability, and
 * closes the descriptors of the guard before the command starts, because a command can open those of any process that it sees. The shell reports a
 * command that a signal ended ("Killed") on its own stderr, which is /dev/null; descriptor 9 is the stderr of the command.
 */
export const startScript = (check: string): string => `PATH=$1; shift; { :; ${check} } 2>&9; (exec "$@" 2>&9 9>&-); exit $?`;
