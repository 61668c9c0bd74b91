# Run by CPack between installing and packing: copyright and changelog into every package, and manual pages compressed.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" key)
  set(package "${CPACK_DEBIAN_${key}_PACKAGE_NAME}")
  set(root "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr")
  set(doc "${root}/share/doc/${package}")

  file(READ "${CPACK_DELASSUS_SOURCE_DIR}/LICENSE" licence)
  file(READ "${CPACK_DELASSUS_SOURCE_DIR}/NOTICE" notice)
  file(WRITE "${doc}/copyright" "${licence}\n${notice}\n"
             "On Debian systems, the text of the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.\n")

  file(COPY_FILE "${CPACK_DELASSUS_SOURCE_DIR}/CHANGELOG.md" "${doc}/changelog")
  file(WRITE "${doc}/changelog.Debian"
       "delassus (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
       "  * Packages of the upstream build; see changelog.gz.\n\n"
       " -- ${CPACK_PACKAGE_CONTACT}  Thu, 01 Jan 2026 00:00:00 +0000\n")
  file(GLOB_RECURSE pages "${root}/share/man/*.1")
  # -n: no time stamps, so that a second build gives the same bytes.
  execute_process(COMMAND gzip -9nf "${doc}/changelog" "${doc}/changelog.Debian" ${pages} COMMAND_ERROR_IS_FATAL ANY)

  # Whatever umask the builder has.
  execute_process(COMMAND chmod -R u+rwX,go+rX,go-w "${CPACK_TEMPORARY_DIRECTORY}/${component}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
