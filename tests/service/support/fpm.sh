#!/bin/bash
# What electron-builder calls instead of fpm to make a deb, which it would download: the same options, with Debian's own dpkg-deb. The
# content is not compressed, so that a test takes seconds.
set -euo pipefail
declare -A given=() scripts=([before-install]=preinst [after-install]=postinst [before-remove]=prerm [after-remove]=postrm)
depends=() recommends=() contents=()
while [ $# -gt 0 ]; do
  case $1 in
    --force) shift ;;
    --*=*) name=${1%%=*} && given[${name#--}]=${1#*=} && shift ;;
    -d) depends+=("$2") && shift 2 ;;
    --deb-recommends) recommends+=("$2") && shift 2 ;;
    --* | -s | -t) given[${1##*-}]=$2 && given[${1#--}]=$2 && shift 2 ;;
    *) contents+=("$1") && shift ;;
  esac
done
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
mkdir "$root/DEBIAN"
for each in "${contents[@]}"; do
  from=${each%%=*} to=$root${each#*=}
  mkdir -p "$(dirname "$to")"
  if [ -d "$from" ]; then mkdir -p "$to" && cp -a "$from/." "$to/"; else cp "$from" "$to"; fi
done
for name in "${!scripts[@]}"; do
  if [ -n "${given[$name]-}" ]; then install -m 755 "${given[$name]}" "$root/DEBIAN/${scripts[$name]}"; fi
done
joined() { local all; printf -v all '%s, ' "$@"; echo "${all%, }"; }
cat > "$root/DEBIAN/control" <<END
Package: ${given[name]}
Version: ${given[version]}
Architecture: ${given[architecture]}
Maintainer: ${given[maintainer]}
Depends: $(joined "${depends[@]}")
Recommends: $(joined "${recommends[@]}")
Description: ${given[description]}
END
dpkg-deb --root-owner-group -Znone --build "$root" "${given[package]}" > /dev/null
