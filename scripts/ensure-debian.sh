#!/bin/sh
# Installs the Debian packages that the host suite needs. Quick and silent when all are present; does nothing where it
# can't help (no apt-get, or not root): the step that needs a missing package then says so by name.
set -eu

packages='chromium fonts-dejavu-core fonts-noto-cjk ripgrep git build-essential pkg-config python3 libkrb5-dev curl'

command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1 || exit 0

missing=''
for package in $packages; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ]; then
  echo "missing Debian packages (install them as root):$missing" >&2
  exit 0
fi

echo "installing Debian packages:$missing"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 && exit 0
apt-get update -qq
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null
