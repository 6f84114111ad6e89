# Runs a command beside a copy of this machine in which systemd runs: what is written there ends with it. Both
# have a network of their own, whose only address is 127.0.0.1. `unshare --net --mount sh container.sh COMMAND`
set -eu
work=$(mktemp -d)
machine=
end() {
  [ -n "${PLIMSOLL_MACHINE-}" ] || echo 'NOT RUN: there is no copy of this machine'
  [ -z "$machine" ] || kill -9 "$machine" || true
  while [ -d "$work/groups/$$" ] && ! find "$work/groups/$$" -depth -type d -exec rmdir {} + 2> /dev/null; do sleep 0.1; done
}
trap end EXIT
trap exit INT TERM

mount --make-rprivate /
mount -t tmpfs plimsoll "$work"
mkdir -p "$work/upper/etc" "$work/work" "$work/root" "$work/groups"
ip link set lo up
echo '127.0.0.1 localhost plimsoll.example.com' | tee "$work/upper/etc/hosts" > "$work/hosts"
mount --bind "$work/hosts" /etc/hosts
mount -t overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" plimsoll "$work/root"
mount -t cgroup2 plimsoll "$work/groups"
mkdir "$work/groups/$$"

sh -c '
  echo 0 > "$1/cgroup.procs"
  exec unshare --mount --uts --ipc --pid --cgroup --fork --kill-child sh -euc "
    cd $2
    for folder in run tmp; do mount -t tmpfs plimsoll \$folder; done
    mount -t proc proc proc
    mount -t sysfs sysfs sys
    mount -t cgroup2 plimsoll sys/fs/cgroup
    mount --rbind /dev dev
    mkdir run/former
    pivot_root . run/former
    umount --lazy /run/former
    mount --make-rshared /
    exec env -i container=unshare PATH=\$PATH /lib/systemd/systemd --unit=basic.target"
' - "$work/groups/$$" "$work/root" > "$work/said" 2>&1 < /dev/null &
machine=$!
for second in $(seq 30); do
  sleep 1
  first=$(tr -d ' ' < "/proc/$machine/task/$machine/children")
  nsenter --target "$first" --mount --pid systemctl is-active --quiet basic.target 2> /dev/null || continue
  PLIMSOLL_MACHINE=$first
  export PLIMSOLL_MACHINE
  "$@"
  exit
done
cat "$work/said"
exit 1
