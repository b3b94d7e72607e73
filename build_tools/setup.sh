#!/usr/bin/env bash
# Installs what the build and the tests need on Debian 12; does nothing when all
# of it is there. Needs root or sudo only if a package is missing.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail

packages=(
  # the compiler: LLVM and MLIR as libraries, their tools, and clang
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 lld-22
  # the build
  cmake ninja-build ccache libc6-dev libstdc++-12-dev zlib1g-dev
  # the tests: lit (its time limits need psutil), GoogleTest
  python3 python3-psutil libgtest-dev libxtensor-dev
)

case "${FUSION_PRESET:-dev}" in
portable) packages+=(libzstd-dev) ;;
asan) packages+=(g++) ;;
esac

missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

fail() {
  echo "error: $1; these packages are missing: ${missing[*]}" >&2
  exit 1
}
command -v apt-get >/dev/null || fail "expected apt-get (Debian 12), but found none"
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "expected root or sudo, but have neither"
  sudo=(sudo)
fi

echo "Installing ${missing[*]}"
apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q
     -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
"${apt[@]}" update || fail "apt-get update failed"
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" ||
  fail "apt-get install failed"
