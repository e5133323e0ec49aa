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
      # The homes of all users that are listed, and whatever is beside them: users of a directory are often not listed.
      homes=$(getent passwd | cut -d: -f6 | grep '^/.')
      { echo "$homes"; echo "$homes" | while read -r home; do dirname "$home"; done | sort -u | grep -v '^/$' | while read -r above; do ls -1d "$above"/* 2>/dev/null; done; } | sort -u | while read -r home; do
        for part in .config/${sanitizedProductName} .cache/${executable}; do
          [ -d "$home/$part" ] && [ ! -L "$home/$part" ] || continue
          # As its owner, so that a link in a home can lead to nothing that is not the owner's own.
          user=$(stat -c %u "$home/$part")
          runuser -u "$(getent passwd "$user" | cut -d: -f1)" -- rm -rf -- "$home/$part" && echo "Removed the data of user $user: $home/$part"
        done
      done
      echo 'Not removed: entries “Veridesk” in the keychains of users, which only they can open, and data under another XDG_CONFIG_HOME or in homes that are not mounted.'
    else
      echo 'Veridesk was removed. The data of each user stay in ~/.config/${sanitizedProductName}, and their keys in the keychain.'
    fi
    ;;
esac
