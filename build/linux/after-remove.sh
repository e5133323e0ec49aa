#!/bin/bash
# deb and rpm: electron-builder's own script, and what becomes of the data. tests/unit/installers.test.ts compares both.

# Delete the link to the binary
# update-alternatives --remove <name> <path>: 'path' must be the registered alternative binary,
# not the generic symlink — see https://man7.org/linux/man-pages/man1/update-alternatives.1.html
if type update-alternatives >/dev/null 2>&1; then
    update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/resources/bin/${executable}'
else
    rm -f '/usr/bin/${executable}'
fi

APPARMOR_PROFILE_DEST='/etc/apparmor.d/${executable}'

# Remove and unload apparmor profile.
if [ -f "$APPARMOR_PROFILE_DEST" ]; then
  # Unload the profile from the running kernel before deleting the file so the
  # policy is not left enforced until the next reboot.  Mirror the chroot guard
  # used in the after-install script — live AppArmor operations are not
  # meaningful inside a chroot.
  # https://wiki.debian.org/AppArmor/HowToUse
  if apparmor_status --enabled > /dev/null 2>&1; then
    if ! { [ -x '/usr/bin/ischroot' ] && /usr/bin/ischroot; } && hash apparmor_parser 2>/dev/null; then
      apparmor_parser --remove "$APPARMOR_PROFILE_DEST" || true
    fi
  fi
  rm -f "$APPARMOR_PROFILE_DEST"
fi

# The data belong to the users. An upgrade also runs this script: deb then passes “upgrade”, rpm the number 1.
case "${1-}" in
  remove | purge | 0)
    if [ "${VERIDESK_REMOVE_DATA-}" = yes ]; then
      # As each user, so that a link in a home can lead to nothing that is not the user's own.
      getent passwd | while IFS=: read -r user _ _ _ _ home _; do
        if [ -d "$home/.config/${sanitizedProductName}" ]; then
          runuser -u "$user" -- rm -rf -- "$home/.config/${sanitizedProductName}" && echo "Removed the data of $user: $home/.config/${sanitizedProductName}"
        fi
      done
    else
      echo 'Veridesk was removed. The data of each user stay in ~/.config/${sanitizedProductName}, and their keys in the keychain.'
    fi
    ;;
esac
